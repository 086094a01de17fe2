// Three philosophers who take the left fork first.
// expect: test -D N=3: violated deadlock
#include <pthread.h>

static pthread_mutex_t forks[N];

static void *dine(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
