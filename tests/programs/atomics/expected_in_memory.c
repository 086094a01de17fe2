// A failed compare-and-swap writes what it found into the expected value, wherever that lies: the next attempt succeeds.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int expected;

static void *add(void *unused) {
    atomic_fetch_add(&count, 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    while (!atomic_compare_exchange_strong(&count, &expected, 1))
        ;
    pthread_join(thread, NULL);
    assert(count == 1 || count == 6);
}
