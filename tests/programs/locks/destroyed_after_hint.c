// Main tells in its critical section that it is nearly done; the other thread destroys the mutex before main has unlocked it.
// expect: test --all: violated misuse race
// missing: destroying an object is not a scheduling point
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t nearly;

static void *clean_up(void *unused) {
    sem_wait(&nearly);
    pthread_mutex_destroy(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&nearly, 0, 0);
    pthread_create(&thread, NULL, clean_up, NULL);
    pthread_mutex_lock(&mutex);
    sem_post(&nearly);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
