// Readers may overlap, a writer is alone.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one, two;

static void *read_both(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(one == two);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t readers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, read_both, NULL);
    pthread_rwlock_wrlock(&lock);
    one++;
    two++;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
}
