// A semaphore hands a value over: what was written before the post is seen after the wait.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int value;

static void *produce(void *unused) {
    value = 42;
    sem_post(&filled);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    sem_wait(&filled);
    assert(value == 42);
    pthread_join(thread, NULL);
}
