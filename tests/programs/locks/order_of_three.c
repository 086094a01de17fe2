// A cycle of three locks: no two threads alone can block each other, all three can.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *pair(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_lock(&locks[(i + 1) % 3]);
    pthread_mutex_unlock(&locks[(i + 1) % 3]);
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, pair, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
