// The first reader waits for the second one while it reads: fine, because readers may overlap.
// expect: test: holds
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t second;

static void *read_second(void *unused) {
    pthread_rwlock_rdlock(&lock);
    sem_post(&second);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&second, 0, 0);
    pthread_create(&thread, NULL, read_second, NULL);
    pthread_rwlock_rdlock(&lock);
    sem_wait(&second);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
}
