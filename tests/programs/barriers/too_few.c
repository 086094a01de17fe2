// The barrier is for three, and two threads come.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
}
