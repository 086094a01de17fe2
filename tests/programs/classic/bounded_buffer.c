// A buffer of one element with two conditions, for two producers and one consumer.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int buffer, full;

static void *produce(void *argument) {
    pthread_mutex_lock(&mutex);
    while (full)
        pthread_cond_wait(&emptied, &mutex);
    buffer = *(int *)argument;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2}, sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, produce, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        while (!full)
            pthread_cond_wait(&filled, &mutex);
        sum += buffer;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 3);
}
