// Waits with a time-out again and again until the flag is set: nobody signals, which costs time only.
// expect: test: holds
// missing: a wait that ends by itself again and again has no end
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    while (!done) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec = 999999999;
        pthread_cond_timedwait(&changed, &mutex, &until);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
