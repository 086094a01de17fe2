// Two threads wait on the same condition with different mutexes, which is undefined.
// expect: test: violated misuse
// missing: this misuse of a condition variable is not noticed
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open;

static void *pass(void *argument) {
    pthread_mutex_t *mutex = argument;
    pthread_mutex_lock(mutex);
    while (!open)
        pthread_cond_wait(&changed, mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, pass, &mutexes[i]);
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[1]);
    open = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[0]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
