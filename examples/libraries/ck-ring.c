// A producer and a consumer share the ring of Concurrency Kit: what comes out is what went in, in order.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stddef.h>

#ifndef COUNT
#define COUNT 2
#endif
static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[COUNT];

static void *produce(void *unused) {
    for (int i = 0; i < COUNT; i++)
        while (!ck_ring_enqueue_spsc(&ring, buffer, &values[i]));
    return unused;
}

int main(void) {
    pthread_t thread;
    ck_ring_init(&ring, 4);
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < COUNT; i++) {
        int *value;
        while (!ck_ring_dequeue_spsc(&ring, buffer, &value));
        assert(value == &values[i]);
    }
    pthread_join(thread, NULL);
    assert(ck_ring_size(&ring) == 0);
}
