// Sixty-four threads that have nothing in common: one execution.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>

static int cells[64];

static void *run(void *argument) {
    *(int *)argument = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[64];
    for (int i = 0; i < 64; i++)
        pthread_create(&threads[i], NULL, run, &cells[i]);
    for (int i = 0; i < 64; i++) {
        pthread_join(threads[i], NULL);
        assert(cells[i] == 1);
    }
}
