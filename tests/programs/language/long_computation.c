// A step that takes its time is no hang.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static unsigned long result;

static void *compute(void *unused) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < 20000000; i++)
        sum += i;
    result = sum;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    assert(result == 199999990000000);
}
