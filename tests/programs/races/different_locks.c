// Both threads lock, but not the same mutex.
// expect: test: violated race
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *argument) {
    pthread_mutex_lock(argument);
    count++;
    pthread_mutex_unlock(argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, &one);
    add(&two);
    pthread_join(thread, NULL);
}
