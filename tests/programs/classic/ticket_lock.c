// A ticket lock: who comes first is served first.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int count;

static void *add(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    count++;
    serving = mine + 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3);
}
