// A thread gives out the address of a local variable and ends: the memory is not its any more.
// expect: test: violated memory
// missing: freed memory is not looked at in atomic operations and locks, nor when it is used again
#include <pthread.h>

static int *escaped;

static void *give(void *unused) {
    int local = 42;
    escaped = &local;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    pthread_join(thread, NULL);
    *escaped = 1;
}
