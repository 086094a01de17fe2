// A wait releases a recursive mutex once, not as often as it was locked: nobody can set the flag.
// expect: test: violated deadlock
// missing: this misuse of a condition variable is not noticed
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
