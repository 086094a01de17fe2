// A volatile variable is no atomic: the same race, with the same end of the loop.
// expect: test: violated race
#include <pthread.h>

static volatile int ready;

static void *set(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!ready)
        ;
    pthread_join(thread, NULL);
}
