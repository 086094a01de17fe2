// Spins until the flag is set or the time is up; virtual time passes while it looks at the clock.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *set(void *unused) {
    ready = 1;
    return unused;
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    long end = now() + 20;
    while (!ready && now() < end)
        ;
    assert(ready || now() >= end);
    pthread_join(thread, NULL);
}
