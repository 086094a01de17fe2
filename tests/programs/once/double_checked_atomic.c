// Double-checked locking done right: the pointer is released and acquired.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static int *_Atomic instance;

static void *get(void *unused) {
    int *mine = atomic_load_explicit(&instance, memory_order_acquire);
    if (mine == NULL) {
        pthread_mutex_lock(&mutex);
        mine = atomic_load_explicit(&instance, memory_order_relaxed);
        if (mine == NULL) {
            storage = 42;
            mine = &storage;
            atomic_store_explicit(&instance, mine, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(*mine == 42);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, get, NULL);
    get(NULL);
    pthread_join(thread, NULL);
}
