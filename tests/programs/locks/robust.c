// A robust mutex tells the next thread that its owner has ended; either that is supported, or it is said that it is not.
// expect: test: unknown unsupported
// missing: this misuse of a mutex is not noticed, or the kind of mutex is not handled
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *forgets(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_t thread;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_create(&thread, NULL, forgets, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
}
