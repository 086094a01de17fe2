// A value is written before a flag is raised, with and without atomics.
// expect: test: violated race
// expect: test -D ATOMIC: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
static atomic_int flag;
#else
static int flag;
#endif
static int value;

static void *publish(void *unused) {
    value = 42;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (flag) assert(value == 42);
    pthread_join(thread, 0);
}
