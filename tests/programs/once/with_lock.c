// The initialisation takes a lock that another thread holds while it waits for the initialisation.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void initialise(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *locked(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_once(&control, initialise);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *unlocked(void *unused) {
    pthread_once(&control, initialise);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, unlocked, NULL);
    pthread_create(&two, NULL, locked, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
