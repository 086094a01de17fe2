// One of the philosophers takes the right fork first: no deadlock.
// expect: test -D N=4: holds
#include <pthread.h>

static pthread_mutex_t forks[N];

static void *dine(void *argument) {
    long i = (long)argument, j = (i + 1) % N;
    pthread_mutex_t *first = &forks[i < j ? i : j], *second = &forks[i < j ? j : i];
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
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
