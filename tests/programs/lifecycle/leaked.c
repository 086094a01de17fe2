// The thread is neither joined nor detached when the program ends.
// expect: test: violated leak
#include <pthread.h>

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
}
