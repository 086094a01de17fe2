// Main returns while a detached thread uses a variable of main's: what it fails is found although main does not wait.
// expect: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *run(void *argument) {
    atomic_int *value = argument;
    assert(*value == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_int value = 0;
    pthread_create(&thread, NULL, run, &value);
    pthread_detach(thread);
    value = 1;
    return 0;
}
