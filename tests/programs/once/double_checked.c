// Double-checked locking with a plain pointer: the first test reads what another thread writes.
// expect: test: violated race
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int storage, *instance;

static void *get(void *unused) {
    if (instance == NULL) {
        pthread_mutex_lock(&mutex);
        if (instance == NULL) {
            storage = 42;
            instance = &storage;
        }
        pthread_mutex_unlock(&mutex);
    }
    (void)*instance;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, get, NULL);
    get(NULL);
    pthread_join(thread, NULL);
}
