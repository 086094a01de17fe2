// All threads get the address of the loop variable: two of them can see the same number.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>

static int seen[3];

static void *mark(void *argument) {
    int i = *(int *)argument;
    __atomic_fetch_add(&seen[i], 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, mark, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
}
