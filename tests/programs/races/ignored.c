// Races are not looked at, and nothing else is wrong.
// expect: test --ignore race: holds
#include <pthread.h>

static int last;

static void *set(void *argument) {
    last = *(int *)argument;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int numbers[2] = {1, 2};
    pthread_create(&thread, NULL, set, &numbers[0]);
    set(&numbers[1]);
    pthread_join(thread, NULL);
}
