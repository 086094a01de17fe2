// With relaxed accesses the flag tells nothing about the message: a race.
// expect: test: violated race
#include <pthread.h>
#include <stdatomic.h>

static int message, received;
static atomic_int ready;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        received = message;
    pthread_join(thread, NULL);
}
