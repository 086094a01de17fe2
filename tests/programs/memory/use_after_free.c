// One thread frees what the other one still uses; the lock orders them, but not the right way round.
// expect: test: violated memory
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *release(void *unused) {
    pthread_mutex_lock(&mutex);
    free(shared);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, release, NULL);
    pthread_mutex_lock(&mutex);
    *shared = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
