// Both are polite: each withdraws when it sees that the other one wants to go as well. In step they do so without an end, so
// that a search of all runs has to be cut; a thread is never stuck.
// expect: test --limit-depth 200: unknown
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *go(void *argument) {
    long i = (long)argument;
    wants[i] = 1;
    while (wants[1 - i]) {
        wants[i] = 0;
        wants[i] = 1;
    }
    wants[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, go, (void *)1);
    go((void *)0);
    pthread_join(thread, NULL);
}
