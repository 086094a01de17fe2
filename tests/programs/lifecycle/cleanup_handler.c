// `pthread_exit` calls the clean-up handlers of the thread: the mutex is released.
// expect: test: holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void release(void *lock) {
    pthread_mutex_unlock(lock);
}

static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, &mutex);
    pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}
