// Nothing separates the read of the other's cell from its next write.
// expect: test: violated race
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2], seen[2];

static void *run(void *argument) {
    long i = (long)argument;
    cells[i] = 1;
    pthread_barrier_wait(&barrier);
    seen[i] = cells[1 - i];
    cells[i] = 2;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, (void *)1);
    run((void *)0);
    pthread_join(thread, NULL);
}
