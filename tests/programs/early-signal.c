// A thread waits for a signal that may have come before, and does not ask whether it has.
// expect: test: violated lost-wakeup
// expect: test -D ASKS: holds
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *announce(void *unused) {
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, announce, 0);
    pthread_mutex_lock(&lock);
#ifdef ASKS
    while (!is_ready)
#endif
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
}
