// `call_once` calls once, also if two threads come at the same time.
// expect: test: holds
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int calls;

static void initialise(void) {
    calls++;
}

static int run(void *unused) {
    (void)unused;
    call_once(&flag, initialise);
    assert(calls == 1);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, run, NULL);
    run(NULL);
    thrd_join(thread, NULL);
}
