// The same with zeroed memory.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *touch(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        block[50 << 20]++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    block = calloc(100, 1 << 20);
    pthread_create(&thread, NULL, touch, NULL);
    touch(NULL);
    pthread_join(thread, NULL);
    assert(block[50 << 20] == 6 && block[99 << 20] == 0);
    free(block);
}
