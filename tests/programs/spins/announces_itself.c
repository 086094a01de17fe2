// Says that it waits, looks, and takes its word back, again and again: what it changes, it changes back.
// expect: test: holds
// missing: a loop that changes something and changes it back is not recognised
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, ready;

static void *set(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    for (int seen = 0; !seen;) {
        waiting++;
        seen = ready;
        waiting--;
    }
    pthread_join(thread, NULL);
}
