// A thread uses a variable of a function that has returned in another thread, whose stack is in use again.
// expect: test: violated race
#include <pthread.h>

static void *add(void *argument) {
    (*(int *)argument)++;
    return NULL;
}

static pthread_t start(void) {
    pthread_t thread;
    int local = 0;
    pthread_create(&thread, NULL, add, &local);
    return thread;
}

static void fill(int *numbers, int size) {
    for (int i = 0; i < size; i++)
        numbers[i] = i;
}

static void other(void) {
    int many[64];
    fill(many, 64);
}

int main(void) {
    pthread_t thread = start();
    other();
    pthread_join(thread, NULL);
}
