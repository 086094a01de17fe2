// Main destroys a condition on which the other thread may be sleeping.
// expect: test: violated misuse
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t inside;

static void *sleeper(void *unused) {
    pthread_mutex_lock(&mutex);
    sem_post(&inside);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&inside, 0, 0);
    pthread_create(&thread, NULL, sleeper, NULL);
    sem_wait(&inside);
    pthread_mutex_lock(&mutex);
    pthread_cond_destroy(&condition);
    pthread_cond_init(&condition, NULL);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
