// Two threads wait for the same flag, and a signal wakes one of them only.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open;

static void *pass(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_mutex_lock(&mutex);
    open = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
