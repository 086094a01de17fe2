// Under sequential consistency one of the two threads sees the other's store; with sequentially consistent atomics this is
// what the language promises.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *one(void *unused) {
    x = 1;
    seen_y = y;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    y = 1;
    seen_x = x;
    pthread_join(thread, NULL);
    assert(seen_x || seen_y);
}
