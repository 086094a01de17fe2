// Three threads join each other in a circle.
// expect: test: violated deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_t threads[3];
static sem_t created;

static void *join_next(void *argument) {
    long i = (long)argument;
    sem_wait(&created);
    pthread_join(threads[(i + 1) % 3], NULL);
    return NULL;
}

int main(void) {
    sem_init(&created, 0, 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, join_next, (void *)i);
    for (int i = 0; i < 3; i++)
        sem_post(&created);
    pthread_exit(NULL);
}
