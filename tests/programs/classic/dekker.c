// Dekker's algorithm, sequentially consistent.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    long i = (long)argument;
    wants[i] = 1;
    while (wants[1 - i]) {
        if (turn != i) {
            wants[i] = 0;
            while (turn != i)
                ;
            wants[i] = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1 - i;
    wants[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(thread, NULL);
}
