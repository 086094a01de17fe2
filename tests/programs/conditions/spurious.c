// With wake-ups for no reason the wait needs a loop, even with a single waiter.
// expect: test --spurious 1: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    if (!done)
        pthread_cond_wait(&changed, &mutex);
    assert(done);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
