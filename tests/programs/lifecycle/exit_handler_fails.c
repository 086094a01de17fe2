// The handlers of `atexit` are part of the program: an assertion fails there.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int busy;

static void handler(void) {
    assert(!busy);
}

static void *run(void *unused) {
    busy = 1;
    busy = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    return 0;
}
