// One thread gives memory back that another one still uses; a lock puts them in an order, but not in the right one.
// expect: test: violated memory
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *data;

static void *release(void *unused) {
    pthread_mutex_lock(&lock);
    free(data);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    data = malloc(sizeof *data);
    pthread_create(&thread, 0, release, 0);
    pthread_mutex_lock(&lock);
    *data = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
}
