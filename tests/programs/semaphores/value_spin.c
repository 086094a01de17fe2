// Waits until the value of a semaphore is not zero by asking for it.
// expect: test: holds
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;

static void *produce(void *unused) {
    sem_post(&filled);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    while (value == 0)
        sem_getvalue(&filled, &value);
    sem_wait(&filled);
    pthread_join(thread, NULL);
}
