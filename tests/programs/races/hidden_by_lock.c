// In most schedules the lock orders the two accesses by accident; if main comes first, nothing does.
// expect: test: violated race
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, other;

static void *run(void *unused) {
    value = 1;
    pthread_mutex_lock(&mutex);
    other++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_mutex_lock(&mutex);
    other++;
    pthread_mutex_unlock(&mutex);
    value = 2;
    pthread_join(thread, NULL);
}
