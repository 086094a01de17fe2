// The second thread may not come into being, and then nobody answers.
// expect: test: holds
// expect: test --fail create: violated deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t answered;

static void *answer(void *unused) {
    sem_post(&answered);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&answered, 0, 0);
    int error = pthread_create(&thread, NULL, answer, NULL);
    sem_wait(&answered);
    if (!error)
        pthread_join(thread, NULL);
}
