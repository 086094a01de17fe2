// The remedy of one_condition_for_two.c: all are woken.
// expect: test: holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void change(int from) {
    pthread_mutex_lock(&mutex);
    while (full != from)
        pthread_cond_wait(&changed, &mutex);
    full = !from;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *produce(void *unused) {
    change(0);
    return unused;
}

static void *consume(void *unused) {
    change(1);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? consume : produce, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
