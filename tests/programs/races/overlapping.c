// A word is written as a whole by one thread and a byte of it by another.
// expect: test: violated race
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t word;
    uint8_t bytes[8];
} shared;

static void *write_byte(void *unused) {
    shared.bytes[5] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_byte, NULL);
    shared.word = 0;
    pthread_join(thread, NULL);
}
