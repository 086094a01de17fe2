// A thread that leaves the barrier late knows nothing of what main did after it, not even if main has arrived again. The
// accesses happen only if main was the last to arrive.
// expect: violated race
#include <pthread.h>

static pthread_barrier_t barrier;
static int value, seen;

static void *reads(void *unused) {
    if (pthread_barrier_wait(&barrier) == 0)
        seen = value;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, reads, NULL);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        value = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}
