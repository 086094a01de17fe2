// Threads print; what they print does not matter to the test.
// expect: test: holds
#include <pthread.h>
#include <stdio.h>

static void *run(void *argument) {
    for (int i = 0; i < 3; i++)
        printf("thread %d prints %d\n", *(int *)argument, i);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int numbers[2] = {0, 1};
    pthread_create(&thread, NULL, run, &numbers[1]);
    run(&numbers[0]);
    pthread_join(thread, NULL);
    fflush(stdout);
}
