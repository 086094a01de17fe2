// A lock of one bit that is swapped until it was free.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void *add(void *unused) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    count++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
}
