// The remedy of if_instead_of_while.c: both consumers test again after each wake-up.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
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
