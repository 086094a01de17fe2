// Arrays of variable length and `alloca` on the stack of a thread, whose contents others read through a pointer.
// expect: test: holds
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static void *sum(void *argument) {
    int *numbers = argument, total = 0;
    for (int i = 0; i < 10; i++)
        total += numbers[i];
    assert(total == 45);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    volatile int size = 10;
    int first[size], *second = alloca(size * sizeof *second);
    for (int i = 0; i < size; i++)
        first[i] = second[i] = i;
    pthread_create(&threads[0], NULL, sum, first);
    pthread_create(&threads[1], NULL, sum, second);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
