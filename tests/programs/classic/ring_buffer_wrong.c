// The producer moves the index before it has written the element.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint tail;

static void *produce(void *unused) {
    for (unsigned i = 0; i < 2; i++) {
        tail = i + 1;
        ring[i] = i + 1;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (unsigned i = 0; i < 2; i++) {
        while (tail <= i)
            ;
        assert(ring[i] == (int)i + 1);
    }
    pthread_join(thread, NULL);
}
