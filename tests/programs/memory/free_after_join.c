// The remedy: main frees what the thread has used, after it has ended.
// expect: test: holds 1
#include <pthread.h>
#include <stdlib.h>

static void *use(void *block) {
    *(int *)block = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, NULL, use, block);
    pthread_join(thread, NULL);
    free(block);
}
