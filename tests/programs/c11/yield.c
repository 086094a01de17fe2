// Spins and yields until another thread, which sleeps first, has set the flag.
// expect: test: holds
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int ready;

static int run(void *unused) {
    (void)unused;
    struct timespec second = {1, 0};
    thrd_sleep(&second, NULL);
    while (atomic_flag_test_and_set(&lock))
        thrd_yield();
    ready = 1;
    atomic_flag_clear(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, run, NULL);
    for (int seen = 0; !seen;) {
        thrd_yield();
        seen = ready;
    }
    thrd_join(thread, NULL);
}
