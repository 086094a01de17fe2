// A thread is detached by its creator and by itself.
// expect: test: violated misuse
#include <pthread.h>

static void *run(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
}
