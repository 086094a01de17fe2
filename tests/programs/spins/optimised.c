// The optimiser reads the plain flag once and then jumps to itself for ever: a step that never ends, and a race.
// expect: test --cc-arg -O2: violated race hang
// missing: optimised loops without any call are not told apart
#include <pthread.h>

static int ready;

static void *wait_for_it(void *unused) {
    while (!ready)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    ready = 1;
    pthread_join(thread, NULL);
}
