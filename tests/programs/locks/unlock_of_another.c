// A thread unlocks a mutex that another one holds.
// expect: test: violated misuse
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *stranger(void *unused) {
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
}
