// A barrier of a mutex and a condition that counts arrivals only: the counter is never reset, so the second round does not wait.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived, round[2];

static void wait_for_all(void) {
    arrived++;
    pthread_cond_broadcast(&all);
    while (arrived < 2)
        pthread_cond_wait(&all, &mutex);
}

static void *run(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&mutex);
    for (int r = 1; r <= 2; r++) {
        round[i] = r;
        wait_for_all();
        assert(round[1 - i] >= r);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, (void *)1);
    run((void *)0);
    pthread_join(thread, NULL);
}
