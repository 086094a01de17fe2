// Threads that talk through a pipe: one waits for the input that the other one writes.
// expect: test: holds
// missing: this call, or this way to end, is not handled
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *unused) {
    char byte = 0;
    assert(read(ends[0], &byte, 1) == 1 && byte == 42);
    return unused;
}

int main(void) {
    pthread_t thread;
    char byte = 42;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, receive, NULL);
    assert(write(ends[1], &byte, 1) == 1);
    pthread_join(thread, NULL);
    close(ends[0]);
    close(ends[1]);
}
