// Nobody is inside together with another one, in any state.
// expect: test --invariant alone: holds
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

int alone(void) {
    return inside <= 1;
}

static void *enter(void *unused) {
    pthread_mutex_lock(&mutex);
    inside++;
    inside--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, NULL);
    enter(NULL);
    pthread_join(thread, NULL);
}
