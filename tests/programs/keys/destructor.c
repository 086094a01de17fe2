// The destructor of a key runs at the end of each thread that has a value, and not for main, which returns.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    destroyed++;
    free(value);
}

static void *run(void *unused) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, malloc(4));
    assert(pthread_getspecific(key) != NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    run(NULL);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    assert(destroyed == 1);
    free(pthread_getspecific(key));
}
