// Tries to write until the reader has gone: the loop ends.
// expect: test: holds
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *read_value(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, read_value, NULL);
    while (pthread_rwlock_trywrlock(&lock))
        ;
    value++;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
}
