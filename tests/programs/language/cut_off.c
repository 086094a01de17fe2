// With all failures asked for, an optimised function goes nowhere after its assertion has failed.
// expect: test --cc-arg -O2 --all: violated assertion
// missing: this part of libc or of time is not handled
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int *pointer;

__attribute__((noinline)) static int check(int value) {
    assert(value == 0);
    return value + 1;
}

__attribute__((noinline, cold)) static void never(void) {
    *pointer = 1;
    abort();
}

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    (void)argv;
    pthread_create(&thread, NULL, set, NULL);
    if (argc > 5)
        never();
    int result = check(flag);
    pthread_join(thread, NULL);
    return result == 7;
}
