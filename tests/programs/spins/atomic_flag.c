// Spins on an atomic flag that another thread sets.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *set(void *unused) {
    value = 42;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!ready)
        ;
    assert(value == 42);
    pthread_join(thread, NULL);
}
