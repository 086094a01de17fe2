// Two threads increment a counter, each under a lock of its own.
// expect: test: violated race assertion
// expect: test --ignore race: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *lock) {
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, &one);
    pthread_create(&second, 0, add, &other);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
}
