// A local variable of main is given to a thread, and both count in it.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>

static void *add(void *argument) {
    (*(int *)argument)++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int count = 0;
    pthread_create(&thread, NULL, add, &count);
    count++;
    pthread_join(thread, NULL);
    assert(count == 2);
}
