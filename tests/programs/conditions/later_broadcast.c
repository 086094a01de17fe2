// The thread that was woken by the signal knows nothing of what main did between the signal and the later broadcast: a race on `late`.
// expect: test: violated race
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, late;

static void *sleeper(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    late = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    late = 1;
    pthread_cond_broadcast(&changed);
    pthread_join(thread, NULL);
}
