// A lock by hand that prefers readers: the writer starves while readers come, but it enters when they have gone.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, value;

static void *read_value(void *unused) {
    pthread_mutex_lock(&mutex);
    while (writing)
        pthread_cond_wait(&changed, &mutex);
    readers++;
    pthread_mutex_unlock(&mutex);
    assert(value == 0 || value == 2);
    pthread_mutex_lock(&mutex);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, read_value, NULL);
    pthread_mutex_lock(&mutex);
    while (readers > 0)
        pthread_cond_wait(&changed, &mutex);
    writing = 1;
    pthread_mutex_unlock(&mutex);
    value = 1;
    value = 2;
    pthread_mutex_lock(&mutex);
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
