// A hundred megabytes are asked for, of which little is used; each run begins with fresh memory.
// expect: test: holds
// missing: takes too long to search
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *touch(void *unused) {
    for (size_t i = 0; i < 100; i += 10) {
        pthread_mutex_lock(&mutex);
        block[i << 20]++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(100 << 20);
    pthread_create(&thread, NULL, touch, NULL);
    pthread_mutex_lock(&mutex);
    block[0]++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(block[0] == 2 && block[90 << 20] == 1);
    free(block);
}
