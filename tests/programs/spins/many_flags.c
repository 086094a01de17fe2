// Looks at forty flags in turn until all are set.
// expect: test: holds
// missing: a loop with more visits than are remembered is not recognised
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[40];

static void *set(void *unused) {
    flags[39] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 39; i++)
        flags[i] = 1;
    pthread_create(&thread, NULL, set, NULL);
    for (int i = 0; i < 40; i++)
        if (!flags[i])
            i = -1;
    pthread_join(thread, NULL);
}
