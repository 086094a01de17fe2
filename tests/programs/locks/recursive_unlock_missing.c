// A recursive mutex that is unlocked once less than locked stays with its owner.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex;

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
}
