// A thread unlocks what another thread has locked for writing.
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
    pthread_rwlock_wrlock(&lock);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
}
