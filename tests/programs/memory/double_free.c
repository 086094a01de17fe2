// Both threads find that they are the last ones and free the block.
// expect: test: violated memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static void *block;

static void *leave(void *unused) {
    users--;
    if (users == 0)
        free(block);
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(8);
    pthread_create(&thread, NULL, leave, NULL);
    leave(NULL);
    pthread_join(thread, NULL);
}
