// The result is read before the thread was joined.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>

static int result;

static void *compute(void *unused) {
    result = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    int seen = result;
    pthread_join(thread, NULL);
    assert(seen == 42);
}
