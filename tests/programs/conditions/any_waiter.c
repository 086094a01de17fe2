// A signal may wake any waiter: the second one, too, which the program did not think of.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t asleep;
static int first, tickets;

static void *wait_for_ticket(void *argument) {
    pthread_mutex_lock(&mutex);
    sem_post(&asleep);
    while (tickets == 0)
        pthread_cond_wait(&changed, &mutex);
    tickets--;
    if (first == 0)
        first = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    sem_init(&asleep, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, wait_for_ticket, &numbers[i]);
        sem_wait(&asleep);
    }
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        tickets++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(first == 1);
}
