// Looks again and again under a read-write lock.
// expect: test: holds
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int ready;

static void *set(void *unused) {
    pthread_rwlock_wrlock(&lock);
    ready = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, set, NULL);
    while (!seen) {
        pthread_rwlock_rdlock(&lock);
        seen = ready;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
}
