// A thread ends the program while main waits for it: no deadlock, and the handlers run.
// expect: test: holds
// missing: this call, or this way to end, is not handled
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int handled;

static void handler(void) {
    handled++;
    assert(handled == 1);
}

static void *run(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    abort();
}
