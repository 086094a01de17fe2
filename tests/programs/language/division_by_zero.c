// The divisor is zero if the other thread was quicker.
// expect: test: violated crash
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *clear(void *unused) {
    divisor = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    volatile int quotient = 10 / divisor;
    (void)quotient;
    pthread_join(thread, NULL);
}
