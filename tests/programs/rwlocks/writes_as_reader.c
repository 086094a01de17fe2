// A thread writes although it has the lock for reading only.
// expect: test: violated race
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *write_value(void *unused) {
    pthread_rwlock_rdlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_value, NULL);
    write_value(NULL);
    pthread_join(thread, NULL);
}
