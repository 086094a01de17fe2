// A destructor that sets the value again is called again, a limited number of times.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int calls;

static void destroy(void *value) {
    if (++calls < 3)
        pthread_setspecific(key, value);
}

static void *run(void *unused) {
    pthread_setspecific(key, &calls);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    assert(calls == 3);
}
