// Philosophers who put the first fork back if they do not get the second one. In step they can do so without an end, so that a
// search of all runs has to be cut; but nobody is ever stuck.
// expect: test --limit-depth 200: unknown
// missing: takes too long to search
#include <pthread.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument) {
    long i = (long)argument;
    for (;;) {
        pthread_mutex_lock(&forks[i]);
        if (pthread_mutex_trylock(&forks[1 - i]) == 0)
            break;
        pthread_mutex_unlock(&forks[i]);
    }
    pthread_mutex_unlock(&forks[1 - i]);
    pthread_mutex_unlock(&forks[i]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, dine, (void *)1);
    dine((void *)0);
    pthread_join(thread, NULL);
}
