// Two threads take two locks in opposite orders: each can end up with one of them, waiting for the other.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *backwards(void *unused) {
    both(&two, &one);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, backwards, NULL);
    both(&one, &two);
    pthread_join(thread, NULL);
}
