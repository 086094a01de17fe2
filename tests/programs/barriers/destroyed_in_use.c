// The barrier is destroyed while a thread waits there.
// expect: test: violated misuse
// missing: destroying an object is not a scheduling point
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}
