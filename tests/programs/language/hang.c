// A loop without any operation that others could notice, and without an end.
// expect: test: unknown hang
#include <pthread.h>

static void *run(void *unused) {
    for (;;)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
