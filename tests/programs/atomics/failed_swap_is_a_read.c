// Two attempts that both fail change nothing: their order does not matter.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *try_zero(void *unused) {
    int zero = 0;
    assert(!atomic_compare_exchange_strong(&value, &zero, 5) && zero == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, try_zero, NULL);
    try_zero(NULL);
    pthread_join(thread, NULL);
    assert(value == 1);
}
