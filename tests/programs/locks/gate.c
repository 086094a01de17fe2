// The orders of two locks differ, but a third lock around them keeps the threads apart: no deadlock.
// expect: test: holds 2
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_mutex_unlock(&gate);
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
