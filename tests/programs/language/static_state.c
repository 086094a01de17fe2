// Every run begins with fresh static variables, also within functions.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns;

static int next(void) {
    static int calls = 5;
    return calls++;
}

static void *turn(void *unused) {
    turns++;
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(next() == 5 && next() == 6);
    pthread_create(&thread, NULL, turn, NULL);
    turn(NULL);
    pthread_join(thread, NULL);
}
