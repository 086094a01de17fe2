// Thread-specific storage of C11 with a destructor.
// expect: test: holds
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static int destroyed;

static void destroy(void *value) {
    destroyed++;
    free(value);
}

static int run(void *unused) {
    (void)unused;
    assert(tss_get(key) == NULL);
    assert(tss_set(key, malloc(1)) == thrd_success);
    return 0;
}

int main(void) {
    thrd_t thread;
    tss_create(&key, destroy);
    thrd_create(&thread, run, NULL);
    thrd_join(thread, NULL);
    assert(destroyed == 1);
    tss_delete(key);
}
