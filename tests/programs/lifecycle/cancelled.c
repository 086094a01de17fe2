// A thread that waits for ever is cancelled; its result tells so.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *run(void *unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, run, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
}
