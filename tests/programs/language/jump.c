// `longjmp` leaves several calls at once, in a thread.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int entered;

static void deep(jmp_buf back, int level) {
    entered++;
    if (level == 0)
        longjmp(back, 42);
    deep(back, level - 1);
}

static void *run(void *unused) {
    jmp_buf back;
    int result = setjmp(back);
    if (result == 0)
        deep(back, 1);
    assert(result == 42);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
    assert(entered == 4);
}
