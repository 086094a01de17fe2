// A thread can be created detached.
// expect: test: holds
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *run(void *unused) {
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t detached;
    sem_init(&done, 0, 0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, run, NULL);
    pthread_attr_destroy(&detached);
    sem_wait(&done);
}
