// Relaxed accesses with a release fence before and an acquire fence after: the message is published.
// expect: test --cc-arg -Wno-tsan: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *send(void *unused) {
    message = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(message == 42);
    }
    pthread_join(thread, NULL);
}
