// The pool is told to stop by one signal: a second worker that sleeps does not hear of it.
// expect: test --all: violated deadlock lost-wakeup
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!stop)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    pthread_cond_signal(&changed);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
}
