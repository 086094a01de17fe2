// The program takes it for granted that a second is always enough.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, hold, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    assert(pthread_mutex_timedlock(&mutex, &until) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
