// An error-checking mutex answers mistakes with error numbers, which the program expects: nothing is wrong with that.
// expect: test: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *stranger(void *unused) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    return unused;
}

int main(void) {
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &checking);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_t thread;
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
}
