// A thread can be cancelled while it waits on a condition: it takes the mutex again, and without a handler it keeps it.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&never, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}
