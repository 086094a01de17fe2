// A sequence lock: the reader tries again if the number was odd or has changed.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int one, two;

static void *write_both(void *unused) {
    sequence++;
    one = 1;
    two = 1;
    sequence++;
    return unused;
}

int main(void) {
    pthread_t thread;
    unsigned before;
    int first, second;
    pthread_create(&thread, NULL, write_both, NULL);
    do {
        before = sequence;
        first = one;
        second = two;
    } while (before % 2 || before != sequence);
    assert(first == second);
    pthread_join(thread, NULL);
}
