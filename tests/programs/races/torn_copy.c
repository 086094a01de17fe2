// A pair is copied by memcpy while another thread writes it: the copy can be half old, half new.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct pair {
    long one, two;
} shared;

static void *write_pair(void *unused) {
    shared.one = 1;
    shared.two = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct pair copy;
    size_t size = sizeof copy;
    pthread_create(&thread, NULL, write_pair, NULL);
    memcpy(&copy, &shared, size);
    assert(copy.one == copy.two);
    pthread_join(thread, NULL);
}
