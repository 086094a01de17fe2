// A recursive mutex may be locked again by its owner, and is free after as many unlocks.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    int seen = count;
    pthread_mutex_unlock(&mutex);
    count = seen + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
    pthread_mutex_destroy(&mutex);
}
