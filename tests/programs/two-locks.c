// Two threads take two locks, in different orders.
// expect: test: violated deadlock
// expect: test -D IN_ORDER: holds 2
// expect: test --ignore deadlock: holds
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *run(void *unused) {
#ifdef IN_ORDER
    take(&left, &right);
#else
    take(&right, &left);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    take(&left, &right);
    pthread_join(thread, 0);
}
