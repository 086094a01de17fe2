// The result of a thread comes from its return or from `pthread_exit`, deep inside.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static int one, two;

static void *returns(void *unused) {
    (void)unused;
    return &one;
}

static void deep(int level) {
    if (level == 0)
        pthread_exit(&two);
    deep(level - 1);
}

static void *exits(void *unused) {
    deep(5);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *results[2];
    pthread_create(&threads[0], NULL, returns, NULL);
    pthread_create(&threads[1], NULL, exits, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    assert(results[0] == &one && results[1] == &two);
}
