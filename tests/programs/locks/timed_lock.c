// A timed lock either gets the mutex or gives up, never both; giving up counts as doing nothing.
// expect: test: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, given_up;

static void *add(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int result = pthread_mutex_timedlock(&mutex, &until);
    if (result == 0) {
        count++;
        pthread_mutex_unlock(&mutex);
    } else {
        assert(result == ETIMEDOUT);
        __atomic_fetch_add(&given_up, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count + given_up == 2 && count >= 1);
}
