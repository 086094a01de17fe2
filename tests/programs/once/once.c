// Whoever comes first initialises, the others wait for it and see the result.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int value, calls;

static void initialise(void) {
    calls++;
    value = 42;
}

static void *use(void *unused) {
    pthread_once(&control, initialise);
    assert(value == 42);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    assert(calls == 1);
}
