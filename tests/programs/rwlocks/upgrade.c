// Both readers want to become the writer, and each waits for the other to stop reading.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, upgrade, NULL);
    upgrade(NULL);
    pthread_join(thread, NULL);
}
