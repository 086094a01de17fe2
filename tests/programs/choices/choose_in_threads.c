// Two threads choose, and count what they chose: 2 times 2 choices, and 2 orders of the two operations.
// expect: test: holds 8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned motet_choose(unsigned count);

static atomic_int sum;

static void *add(void *unused) {
    atomic_fetch_add(&sum, (int)motet_choose(2));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(sum <= 2);
}
