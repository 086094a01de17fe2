// Random numbers and the time are the same in every run, so that a schedule can be followed again.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int count;

static void *add(void *unused) {
    for (int i = 0; i < 2; i++)
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    srand(time(NULL));
    if (rand() % 2)
        atomic_fetch_add(&count, 1);
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 4 || count == 5);
}
