// Two threads count by an atomic operation.
// Two operations on one object, in either order: 2 executions.
// expect: test: holds 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *unused) {
    atomic_fetch_add(&count, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
}
