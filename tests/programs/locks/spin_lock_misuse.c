// A spin lock is unlocked by a thread that does not hold it.
// expect: test: violated misuse
#include <pthread.h>

static pthread_spinlock_t lock;

static void *stranger(void *unused) {
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
}
