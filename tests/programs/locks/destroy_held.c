// A mutex is destroyed by its owner, who holds it.
// expect: test: violated misuse
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
}
