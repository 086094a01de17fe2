// The remedy of order_of_two.c: both threads take the locks in the same order.
// Whoever takes the first lock first goes through: 2 executions.
// expect: test: holds 2
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *both(void *unused) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, both, NULL);
    both(NULL);
    pthread_join(thread, NULL);
}
