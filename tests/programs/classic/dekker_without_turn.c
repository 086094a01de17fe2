// Dekker's algorithm without the turn: both want to enter and wait for each other.
// expect: test: violated livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *enter(void *argument) {
    long i = (long)argument;
    wants[i] = 1;
    while (wants[1 - i])
        ;
    wants[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(thread, NULL);
}
