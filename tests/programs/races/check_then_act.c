// The seat is free when it is looked at, and taken when it is taken: each access is locked, the decision is not.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static int is_free(void) {
    pthread_mutex_lock(&mutex);
    int free = taken == 0;
    pthread_mutex_unlock(&mutex);
    return free;
}

static void take(void) {
    pthread_mutex_lock(&mutex);
    taken++;
    assert(taken == 1);
    pthread_mutex_unlock(&mutex);
}

static void *book(void *unused) {
    if (is_free())
        take();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, book, NULL);
    book(NULL);
    pthread_join(thread, NULL);
}
