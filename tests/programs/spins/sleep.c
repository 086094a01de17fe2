// Looks every millisecond.
// expect: test: holds
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;

static void *set(void *unused) {
    usleep(5000);
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!ready)
        usleep(1000);
    pthread_join(thread, NULL);
}
