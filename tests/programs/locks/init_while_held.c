// A mutex is initialised a second time while a thread holds it: two threads are inside at once.
// expect: test: violated misuse
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *unused) {
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, enter, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
}
