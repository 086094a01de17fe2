// Lamport's bakery (1974) for two threads, sequentially consistent.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], number[2];
static int inside;

static void *enter(void *argument) {
    long i = (long)argument, j = 1 - i;
    choosing[i] = 1;
    number[i] = number[j] + 1;
    choosing[i] = 0;
    while (choosing[j])
        ;
    while (number[j] && (number[j] < number[i] || (number[j] == number[i] && j < i)))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    number[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(thread, NULL);
}
