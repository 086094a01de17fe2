// Main leaves the barrier late and knows nothing of what the other thread did after it, not even if threads have arrived there
// again meanwhile. The accesses happen only if main was the first to arrive.
// expect: test: violated race
#include <pthread.h>

static pthread_barrier_t barrier;
static int value, seen;

static void *arrive(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *write_value(void *unused) {
    pthread_t helper;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        value = 1;
    pthread_create(&helper, NULL, arrive, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(helper, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, write_value, NULL);
    if (pthread_barrier_wait(&barrier) == 0)
        seen = value;
    pthread_join(thread, NULL);
}
