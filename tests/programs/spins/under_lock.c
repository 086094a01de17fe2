// Looks again and again under the mutex.
// expect: test: holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, set, NULL);
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
}
