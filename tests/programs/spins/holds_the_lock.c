// Spins for a flag while it holds the lock that the other one needs to set it.
// expect: test: violated livelock
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready)
        ;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
