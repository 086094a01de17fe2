// The expected value of a compare-and-swap is plain memory, which both threads share; relaxed operations do not order it.
// expect: test: violated race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int expected;

static void *try_once(void *unused) {
    atomic_compare_exchange_strong_explicit(&count, &expected, 7, memory_order_relaxed, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, try_once, NULL);
    try_once(NULL);
    pthread_join(thread, NULL);
}
