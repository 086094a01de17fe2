// A detached thread may still run while main returns.
// expect: test: holds
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *run(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    return 0;
}
