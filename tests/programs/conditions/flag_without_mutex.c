// The flag is set without the mutex: between the test and the sleep the signal can be lost.
// expect: test --all: violated lost-wakeup
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *work(void *unused) {
    done = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
