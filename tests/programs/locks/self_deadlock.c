// A thread locks a normal mutex that it holds already: it waits for itself.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void inner(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
}
