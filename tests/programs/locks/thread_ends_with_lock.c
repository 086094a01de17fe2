// A thread returns without unlocking: nobody will ever get the mutex again.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *forgets(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgets, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
}
