// The program aborts in one order of two threads.
// expect: test: violated abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first;

static void *run(void *argument) {
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, *(int *)argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int numbers[2] = {1, 2};
    pthread_create(&thread, NULL, run, &numbers[0]);
    run(&numbers[1]);
    pthread_join(thread, NULL);
    if (first == 1)
        abort();
}
