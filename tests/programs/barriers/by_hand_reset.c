// The last one resets the counter, but who wakes up late tests the new counter and sleeps on: the barrier is not reusable.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;

static void wait_for_all(void) {
    pthread_mutex_lock(&mutex);
    if (++arrived == 2) {
        arrived = 0;
        pthread_cond_broadcast(&all);
    }
    while (arrived != 0)
        pthread_cond_wait(&all, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void *run(void *unused) {
    wait_for_all();
    wait_for_all();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
}
