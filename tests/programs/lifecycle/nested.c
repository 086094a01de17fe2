// Threads create threads that create threads.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *grow(void *argument) {
    long depth = (long)argument;
    pthread_t children[2];
    if (depth > 0) {
        for (int i = 0; i < 2; i++)
            pthread_create(&children[i], NULL, grow, (void *)(depth - 1));
        for (int i = 0; i < 2; i++)
            pthread_join(children[i], NULL);
    } else {
        atomic_fetch_add(&count, 1);
    }
    return NULL;
}

int main(void) {
    grow((void *)2);
    assert(count == 4);
}
