// A pool of two workers with a shutdown that is seen by both.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks, done, stop;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (tasks == 0 && !stop)
            pthread_cond_wait(&changed, &mutex);
        if (tasks == 0)
            break;
        tasks--;
        done++;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    tasks++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    assert(done == 1);
}
