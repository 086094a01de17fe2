// Two threads write neighbouring bytes of one word: different memory, no race.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>

static char bytes[2];

static void *write_first(void *unused) {
    bytes[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_first, NULL);
    bytes[1] = 1;
    pthread_join(thread, NULL);
    assert(bytes[0] == 1 && bytes[1] == 1);
}
