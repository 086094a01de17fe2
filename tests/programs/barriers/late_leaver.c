// A thread that leaves the barrier late knows nothing of what main did after it, not even if main has arrived there again.
// The accesses happen only if main was the last to arrive.
// expect: violated race
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t ready;
static int value, seen;

static void *reads(void *unused) {
    sem_post(&ready);
    if (pthread_barrier_wait(&barrier) == 0)
        seen = value;
    return unused;
}

static void *delays(void *unused) {
    sem_wait(&ready);
    return unused;
}

static void *arrives(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&ready, 0, 0);
    pthread_create(&one, NULL, reads, NULL);
    pthread_create(&two, NULL, delays, NULL);
    pthread_join(two, NULL);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        value = 1;
    pthread_create(&three, NULL, arrives, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(three, NULL);
    pthread_join(one, NULL);
}
