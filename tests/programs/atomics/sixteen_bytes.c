// A structure of sixteen bytes as an atomic, as counted pointers need it: it is exchanged as a whole.
// expect: test --cc-arg -mcx16 --cc-arg -latomic: holds
// missing: this atomic operation is not handled
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long one, two;
};
static _Atomic struct pair shared;

static void *set(void *unused) {
    struct pair mine = {1, 1};
    atomic_store(&shared, mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    struct pair seen = atomic_load(&shared);
    assert(seen.one == seen.two);
    pthread_join(thread, NULL);
}
