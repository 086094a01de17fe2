// Three hundred threads, one after the other.
// expect: test: holds 1
// missing: this call, or this way to end, is not handled
#include <assert.h>
#include <pthread.h>

static int count;

static void *run(void *unused) {
    count++;
    return unused;
}

int main(void) {
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        assert(pthread_create(&thread, NULL, run, NULL) == 0);
        pthread_join(thread, NULL);
    }
    assert(count == 300);
}
