// Recursion without an end.
// expect: test --cc-arg -Wno-infinite-recursion: violated crash
// missing: this part of libc or of time is not handled
#include <pthread.h>

static int down(int n) {
    volatile int part[64];
    part[0] = n;
    return down(n + 1) + part[0];
}

static void *run(void *unused) {
    down(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
