// A program that gives up by itself when the second thread is first.
// expect: test: violated abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void *run(void *unused) {
    if (atomic_load(&turn) == 0) abort();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    atomic_store(&turn, 1);
    pthread_join(thread, 0);
}
