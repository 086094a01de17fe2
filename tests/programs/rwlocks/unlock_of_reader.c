// A thread that does not read unlocks a lock that another thread has for reading.
// expect: test: violated misuse
// missing: misuse of read-write locks is not noticed, and timed ones are not handled
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *stranger(void *unused) {
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
}
