// Takes one lock, tries the other one, and puts the first one back if that fails: main waits for the second lock only until the
// other thread, which takes them one after the other, has done so.
// expect: test: holds
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *backwards(void *unused) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, backwards, NULL);
    pthread_mutex_lock(&one);
    while (pthread_mutex_trylock(&two)) {
        pthread_mutex_unlock(&one);
        pthread_mutex_lock(&one);
    }
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(thread, NULL);
}
