// Spins politely.
// expect: test: holds
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;

static void *set(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!ready)
        sched_yield();
    pthread_join(thread, NULL);
}
