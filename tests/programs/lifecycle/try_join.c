// Looks whether the thread has ended until it has.
// expect: test: holds
// missing: this call, or this way to end, is not handled
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int value;

static void *run(void *unused) {
    value = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    int result;
    pthread_create(&thread, NULL, run, NULL);
    while ((result = pthread_tryjoin_np(thread, NULL)) == EBUSY)
        ;
    assert(result == 0 && value == 42);
}
