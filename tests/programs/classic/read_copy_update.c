// The writer publishes a new version and frees the old one when the reader, who announces itself, has left it.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic version;
static atomic_int reading;

static void *read_version(void *unused) {
    reading = 1;
    assert(*version == 1 || *version == 2);
    reading = 0;
    return unused;
}

static int *make(int value) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = value;
    return fresh;
}

int main(void) {
    pthread_t thread;
    version = make(1);
    pthread_create(&thread, NULL, read_version, NULL);
    int *old = atomic_exchange(&version, make(2));
    while (reading)
        ;
    free(old);
    pthread_join(thread, NULL);
    free(version);
}
