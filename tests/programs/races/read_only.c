// Two threads read what was written before they were created.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>

static int value;

static void *read_value(void *unused) {
    assert(value == 42);
    return unused;
}

int main(void) {
    pthread_t one, two;
    value = 42;
    pthread_create(&one, NULL, read_value, NULL);
    pthread_create(&two, NULL, read_value, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    value = 43;
}
