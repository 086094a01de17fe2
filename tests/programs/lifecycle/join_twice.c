// A thread is joined twice.
// expect: test: violated misuse
#include <pthread.h>

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL);
}
