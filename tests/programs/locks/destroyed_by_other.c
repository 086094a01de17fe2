// Nothing keeps main from destroying the mutex while the other thread is about to lock it or holds it.
// expect: test --all: violated misuse race
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, NULL);
}
