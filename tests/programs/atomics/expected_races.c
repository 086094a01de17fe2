// The expected value of a compare-and-swap is plain memory, which both threads share.
// expect: test: violated race
// missing: this atomic operation is not handled
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int expected;

static void *try_once(void *unused) {
    atomic_compare_exchange_strong(&count, &expected, 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, try_once, NULL);
    try_once(NULL);
    pthread_join(thread, NULL);
}
