// Two waits and one post.
// expect: test: violated deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *wait_for_it(void *unused) {
    sem_wait(&semaphore);
    return unused;
}

int main(void) {
    pthread_t one, two;
    sem_init(&semaphore, 0, 0);
    pthread_create(&one, NULL, wait_for_it, NULL);
    pthread_create(&two, NULL, wait_for_it, NULL);
    sem_post(&semaphore);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
