// Each of two threads increments by compare-and-swap until it succeeds.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *unused) {
    int seen = count;
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
}
