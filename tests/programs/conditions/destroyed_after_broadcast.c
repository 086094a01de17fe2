// A condition may be destroyed as soon as all that slept on it were woken, even if they do not run yet.
// expect: test: holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *sleeper(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&changed);
    pthread_join(thread, NULL);
}
