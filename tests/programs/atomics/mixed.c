// The same variable is written atomically here and plainly there.
// expect: test: violated race
#include <pthread.h>

static int value;

static void *plain(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, plain, NULL);
    __atomic_store_n(&value, 2, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
}
