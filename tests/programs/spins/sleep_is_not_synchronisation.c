// The thread surely needs less than a second: a guess about time orders nothing.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int value;

static void *set(void *unused) {
    value = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    sleep(1);
    assert(value == 42);
    pthread_join(thread, NULL);
}
