// The remedy of double_free.c: who takes the last reference away knows it from the same operation.
// expect: test: holds
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *block;

static void *leave(void *unused) {
    int seen = *block;
    (void)seen;
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_acq_rel) == 1)
        free(block);
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof *block);
    *block = 42;
    pthread_create(&thread, NULL, leave, NULL);
    leave(NULL);
    pthread_join(thread, NULL);
}
