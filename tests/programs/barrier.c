// Nobody is behind the barrier before all have arrived.
// expect: test: holds
// expect: test -D ALONE: violated deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int arrived;

static void *run(void *unused) {
    atomic_fetch_add(&arrived, 1);
    pthread_barrier_wait(&barrier);
    assert(atomic_load(&arrived) == 2);
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef ALONE
    pthread_barrier_init(&barrier, 0, 3);
#else
    pthread_barrier_init(&barrier, 0, 2);
#endif
    pthread_create(&thread, 0, run, 0);
    run(0);
    pthread_join(thread, 0);
}
