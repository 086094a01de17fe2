// Waits for a spin lock by trying again and again.
// expect: test: holds
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *add(void *unused) {
    while (pthread_spin_trylock(&lock))
        ;
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
}
