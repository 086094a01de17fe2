// A thread is joined that was detached.
// expect: test: violated misuse
#include <pthread.h>

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL);
}
