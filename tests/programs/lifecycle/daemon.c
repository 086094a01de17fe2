// A detached thread works for ever; the end of main ends it.
// expect: test: holds
// missing: a thread that never stops keeps the program from ending
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, ticks;

static void *tick(void *unused) {
    while (!stop)
        ticks = !ticks;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, tick, NULL);
    pthread_detach(thread);
    return 0;
}
