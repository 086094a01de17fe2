// Three wait and all are woken: they go on in any order.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open, order[3], passed;

static void *pass(void *argument) {
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&changed, &mutex);
    order[passed++] = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, pass, &numbers[i]);
    pthread_mutex_lock(&mutex);
    open = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(order[0] != 3 || order[1] != 2 || order[2] != 1);
}
