// A thread writes to a local variable of the one that started it.
// expect: test: violated race assertion
// expect: test -D JOINED: holds 1
#include <assert.h>
#include <pthread.h>

static void *set(void *result) {
    *(int *)result = 1;
    return 0;
}

int main(void) {
    int result = 0;
    pthread_t thread;
    pthread_create(&thread, 0, set, &result);
#ifdef JOINED
    pthread_join(thread, 0);
#endif
    assert(result == 1);
#ifndef JOINED
    pthread_join(thread, 0);
#endif
}
