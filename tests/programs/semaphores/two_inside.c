// A semaphore with two permits does not exclude: the counter inside is racy.
// expect: test: violated race
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int count;

static void *add(void *unused) {
    sem_wait(&permits);
    count++;
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&permits, 0, 2);
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
