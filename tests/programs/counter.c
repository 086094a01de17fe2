// Threads increment a counter under one lock.
// expect: test: holds 2
// expect: test -D THREADS=3: holds 6
// expect: test -D THREADS=3 --visible all: holds
// expect: test -D THREADS=3 --search random --limit-runs 50: unknown
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    assert(counter == THREADS);
}
