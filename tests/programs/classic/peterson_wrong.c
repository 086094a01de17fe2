// Peterson's algorithm with the first two statements exchanged: both can enter.
// expect: test --all: violated race assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    long i = (long)argument;
    turn = 1 - i;
    wants[i] = 1;
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
