// The destructor runs in the thread that ends, which the joining thread waits for and the other one does not.
// expect: test: violated race
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *unused) {
    (void)unused;
    destroyed++;
}

static void *run(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
