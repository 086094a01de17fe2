// A relaxed read-modify-write in between continues the release sequence: the reader still learns of the message.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *touch(void *unused) {
    int one = 1;
    atomic_compare_exchange_strong_explicit(&ready, &one, 2, memory_order_relaxed, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, send, NULL);
    pthread_create(&two, NULL, touch, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        assert(message == 42);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
