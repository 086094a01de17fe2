// A thread that does not get the mutex does something else: both outcomes happen, and both are fine.
// The attempt comes before, within or after the other's critical section; if it succeeds before, the other waits: 3 executions.
// expect: test: holds 3
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int mine = 0;
    pthread_create(&thread, NULL, add, NULL);
    int result = pthread_mutex_trylock(&mutex);
    if (result == 0) {
        count++;
        mine = 1;
        pthread_mutex_unlock(&mutex);
    } else {
        assert(result == EBUSY);
    }
    pthread_join(thread, NULL);
    assert(count == 1 + mine);
}
