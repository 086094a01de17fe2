// A detached thread of C11; joining it is a mistake.
// expect: test: violated misuse
#include <threads.h>

static int run(void *unused) {
    (void)unused;
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, run, NULL);
    thrd_detach(thread);
    thrd_join(thread, NULL);
}
