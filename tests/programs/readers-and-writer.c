// Readers share a lock, a writer has it alone.
// expect: test: holds
// expect: test -D UNLOCKED: violated race assertion
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one, other;

static void *read_both(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(one == other);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t readers[2];
    for (int i = 0; i < 2; i++) pthread_create(&readers[i], 0, read_both, 0);
#ifndef UNLOCKED
    pthread_rwlock_wrlock(&lock);
#endif
    one++;
    other++;
#ifndef UNLOCKED
    pthread_rwlock_unlock(&lock);
#endif
    for (int i = 0; i < 2; i++) pthread_join(readers[i], 0);
}
