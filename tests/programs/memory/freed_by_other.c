// Blocks go from thread to thread and back: allocated here, freed there, used again.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *consume(void *block) {
    assert(*(int *)block == 42);
    free(block);
    int *mine = malloc(sizeof *mine);
    *mine = 43;
    return mine;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *result;
        int *block = malloc(sizeof *block);
        *block = 42;
        pthread_create(&thread, NULL, consume, block);
        pthread_join(thread, &result);
        assert(*(int *)result == 43);
        free(result);
    }
}
