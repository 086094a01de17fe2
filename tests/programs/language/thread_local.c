// Each thread has its own copy of a thread-local variable, initialised.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 7;
static _Thread_local char zeroed[100];

static void *run(void *unused) {
    assert(mine == 7 && zeroed[99] == 0);
    mine++;
    zeroed[99] = 1;
    assert(mine == 8);
    return unused;
}

int main(void) {
    pthread_t one, two;
    mine = 1;
    pthread_create(&one, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(two, NULL);
    assert(mine == 1 && zeroed[99] == 0);
}
