// The lock is taken before the semaphore: the consumer holds it and waits for an item that nobody can bring.
// expect: test: violated deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *produce(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    sem_post(&items);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
    sem_wait(&items);
    count--;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
