// A read-write lock is used after it was destroyed.
// expect: test: violated misuse
// missing: misuse of read-write locks is not noticed, and timed ones are not handled
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_rdlock(&lock);
}
