// The pointer is used before the other thread has set it.
// expect: test: violated crash
#include <pthread.h>
#include <stdatomic.h>

static int value;
static int *_Atomic pointer;

static void *set(void *unused) {
    pointer = &value;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    *pointer = 1;
    pthread_join(thread, NULL);
}
