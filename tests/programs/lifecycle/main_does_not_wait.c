// Main returns while a detached thread runs: what fails there is found although main does not wait.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *run(void *unused) {
    assert(value == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    value = 1;
    return 0;
}
