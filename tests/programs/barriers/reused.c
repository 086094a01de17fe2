// The same barrier separates two phases.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2];

static void *run(void *argument) {
    long i = (long)argument;
    cells[i] = 1;
    pthread_barrier_wait(&barrier);
    int seen = cells[1 - i];
    pthread_barrier_wait(&barrier);
    cells[i] = 2;
    assert(seen == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, (void *)1);
    run((void *)0);
    pthread_join(thread, NULL);
}
