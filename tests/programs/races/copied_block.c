// A block is copied by one call, which reads here and writes there, while another thread writes the source.
// expect: test: violated race
#include <pthread.h>
#include <string.h>

static char source[64], target[64];

static void *write_source(void *unused) {
    source[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    size_t size = sizeof source;
    pthread_create(&thread, NULL, write_source, NULL);
    memmove(target, source, size);
    pthread_join(thread, NULL);
}
