// Peterson's algorithm for two threads, sequentially consistent: they exclude each other.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    long i = (long)argument;
    wants[i] = 1;
    turn = 1 - i;
    while (wants[1 - i] && turn == 1 - i)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(thread, NULL);
}
