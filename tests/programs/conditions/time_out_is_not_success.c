// After a timed wait the program believes that the work is done, whatever the result says.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    if (!done)
        pthread_cond_timedwait(&changed, &mutex, &until);
    assert(done);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
