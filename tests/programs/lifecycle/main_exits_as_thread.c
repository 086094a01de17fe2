// Main ends by `pthread_exit`: the program goes on until the last thread has ended, and then the handlers run.
// expect: test: violated assertion
// missing: this call, or this way to end, is not handled
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int value;

static void handler(void) {
    assert(value == 0);
}

static void *run(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
