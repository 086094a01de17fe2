// The barrier is for two, and three threads come: one is left over.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    run(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
