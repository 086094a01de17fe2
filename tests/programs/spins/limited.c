// Gives up after three looks: each number of looks is one execution, and giving up is another one.
// expect: test: holds 4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *set(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    for (int i = 0; i < 3 && !ready; i++)
        ;
    pthread_join(thread, NULL);
}
