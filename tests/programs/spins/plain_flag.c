// Spins on a plain variable: it works here, but the accesses race.
// expect: test: violated race
#include <pthread.h>

static int ready;

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
