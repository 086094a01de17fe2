// A pointer that another thread takes away between a check and its use.
// expect: test: violated crash
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *data;

static int is_there(void) {
    pthread_mutex_lock(&lock);
    int there = data != 0;
    pthread_mutex_unlock(&lock);
    return there;
}

static void *take_away(void *unused) {
    pthread_mutex_lock(&lock);
    data = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    static int value = 7;
    pthread_t thread;
    data = &value;
    pthread_create(&thread, 0, take_away, 0);
    if (is_there()) {
        pthread_mutex_lock(&lock);
        *data = 8;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, 0);
}
