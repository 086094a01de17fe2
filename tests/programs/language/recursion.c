// Deep recursion on the stack of a thread.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static int sum(int n) {
    int part[8] = {n};
    return n == 0 ? 0 : part[0] + sum(n - 1);
}

static void *run(void *unused) {
    assert(sum(10000) == 50005000);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    run(NULL);
}
