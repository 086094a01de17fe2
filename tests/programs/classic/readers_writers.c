// Readers and writers with two semaphores: the first reader locks the writer out, the last one lets it in.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t counting, room;
static int readers, value;

static void *read_value(void *unused) {
    sem_wait(&counting);
    if (++readers == 1)
        sem_wait(&room);
    sem_post(&counting);
    assert(value % 2 == 0);
    sem_wait(&counting);
    if (--readers == 0)
        sem_post(&room);
    sem_post(&counting);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&counting, 0, 1);
    sem_init(&room, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, read_value, NULL);
    sem_wait(&room);
    value++;
    value++;
    sem_post(&room);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
