// Unlocks a read-write lock that nobody holds.
// expect: test: violated misuse
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_unlock(&lock);
}
