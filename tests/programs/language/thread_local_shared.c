// The address of a thread-local variable is given to another thread: it is memory like any other.
// expect: test: violated race
#include <pthread.h>

static _Thread_local int mine;

static void *add(void *argument) {
    (*(int *)argument)++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, &mine);
    mine++;
    pthread_join(thread, NULL);
}
