// The writer does not wait for readers before it frees the old version.
// expect: test --all: violated race memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic version;

static void *read_version(void *unused) {
    int *seen = version;
    int value = *seen;
    (void)value;
    return unused;
}

int main(void) {
    pthread_t thread;
    version = calloc(1, sizeof(int));
    pthread_create(&thread, NULL, read_version, NULL);
    int *old = atomic_exchange(&version, calloc(1, sizeof(int)));
    free(old);
    pthread_join(thread, NULL);
    free(version);
}
