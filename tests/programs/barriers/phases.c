// Each thread writes its cell, and after the barrier reads the other's.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2], leaders;

static void *run(void *argument) {
    long i = (long)argument;
    cells[i] = 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        leaders++;
    assert(cells[1 - i] == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, (void *)1);
    run((void *)0);
    pthread_join(thread, NULL);
    assert(leaders == 1);
    pthread_barrier_destroy(&barrier);
}
