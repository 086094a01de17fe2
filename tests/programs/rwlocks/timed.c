// A read-write lock with time-outs: gets it or gives up.
// expect: test: holds
// missing: misuse of read-write locks is not noticed, and timed ones are not handled
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *add(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int result = pthread_rwlock_timedwrlock(&lock, &until);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) {
        value++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(value == 1 || value == 2);
}
