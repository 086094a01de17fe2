// A mutex is locked after it was destroyed.
// expect: test: violated misuse
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);
}
