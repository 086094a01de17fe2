// Nothing orders the use and the free: they race, and in one order the memory is gone.
// expect: test --all: violated race memory
#include <pthread.h>
#include <stdlib.h>

static void *release(void *block) {
    free(block);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, NULL, release, block);
    *block = 1;
    pthread_join(thread, NULL);
}
