// The signal wakes a thread that does not care, and the one that it was meant for sleeps on.
// expect: test: violated deadlock
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *impatient(void *unused) {
    struct timespec until = {0, 0};
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_timedwait(&filled, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *patient(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&filled, &mutex);
    items--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, impatient, NULL);
    pthread_create(&two, NULL, patient, NULL);
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
