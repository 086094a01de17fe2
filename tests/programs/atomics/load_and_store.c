// The load and the store are atomic, their sum is not.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *unused) {
    count = count + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
}
