// The same with semaphores for free and filled places.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t places, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[2], in, out;

static void *produce(void *argument) {
    sem_wait(&places);
    pthread_mutex_lock(&mutex);
    buffer[in++ % 2] = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    sem_post(&items);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2}, sum = 0;
    sem_init(&places, 0, 1);
    sem_init(&items, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, produce, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        sem_wait(&items);
        pthread_mutex_lock(&mutex);
        sum += buffer[out++ % 2];
        pthread_mutex_unlock(&mutex);
        sem_post(&places);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 3);
}
