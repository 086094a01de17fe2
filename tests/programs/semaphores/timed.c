// A timed wait on a semaphore gives up or takes; what is left is the rest.
// expect: test: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until = {2000000000, 0};
    int left;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    int result = sem_timedwait(&semaphore, &until);
    assert(result == 0 || errno == ETIMEDOUT);
    pthread_join(thread, NULL);
    sem_getvalue(&semaphore, &left);
    assert(left == (result == 0 ? 0 : 1));
}
