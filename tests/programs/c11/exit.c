// `thrd_exit` gives the result as well.
// expect: test: holds
#include <assert.h>
#include <threads.h>

static int run(void *unused) {
    (void)unused;
    thrd_exit(7);
}

int main(void) {
    thrd_t thread;
    int result = 0;
    thrd_create(&thread, run, NULL);
    thrd_join(thread, &result);
    assert(result == 7);
}
