// Two consumers test with `if`: one is woken for an item that the other one has taken meanwhile.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&filled, &mutex);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&two, NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
