// Spins on a plain variable that nobody writes: no race, and no end.
// expect: test: violated livelock
#include <pthread.h>

static int ready;

static void *idle(void *unused) {
    while (!ready)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
}
