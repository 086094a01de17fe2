// Two threads count under a spin lock.
// expect: test: holds 2
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *add(void *unused) {
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
    pthread_spin_destroy(&lock);
}
