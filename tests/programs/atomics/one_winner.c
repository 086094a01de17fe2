// Of three threads that swap a flag, exactly one finds it clear.
// The three exchanges depend on each other: 3! executions.
// expect: test: holds 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int winners;

static void *swap(void *unused) {
    if (atomic_exchange(&flag, 1) == 0)
        winners++;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, swap, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(winners == 1);
}
