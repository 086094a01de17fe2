// Tries to take from a semaphore until it can.
// expect: test: holds
#include <assert.h>
#include <errno.h>
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
    while (sem_trywait(&filled))
        assert(errno == EAGAIN);
    assert(value == 42);
    pthread_join(thread, NULL);
}
