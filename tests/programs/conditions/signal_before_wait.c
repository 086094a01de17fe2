// The signal may come before anybody waits, and nothing else tells that it came.
// expect: test: violated lost-wakeup
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    pthread_cond_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
