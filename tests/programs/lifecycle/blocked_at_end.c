// A detached thread waits for ever, and the program ends all the same: no deadlock.
// expect: test: holds
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *run(void *unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
}
