// A relaxed store in between ends the release sequence: who reads it learns nothing.
// expect: test: violated race
#include <pthread.h>
#include <stdatomic.h>

static int message, received;
static atomic_int ready;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *overwrite(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
        atomic_store_explicit(&ready, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, send, NULL);
    pthread_create(&two, NULL, overwrite, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        received = message;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
