// A semaphore with one permit is a lock.
// expect: test: holds 2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permit;
static int count;

static void *add(void *unused) {
    sem_wait(&permit);
    count++;
    sem_post(&permit);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&permit, 0, 1);
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
}
