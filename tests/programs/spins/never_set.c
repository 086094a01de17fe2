// Spins on a flag that nobody sets.
// expect: test: violated livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    while (!ready)
        ;
    pthread_join(thread, NULL);
}
