// The race comes first, and then an assertion fails in every run: both are reported.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>

static int value;

static void *set(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    value = 2;
    pthread_join(thread, NULL);
    assert(value == 0);
}
