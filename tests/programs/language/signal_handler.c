// A program that raises a signal in itself: the handler runs at once.
// expect: test: holds
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t raised;

static void handle(int number) {
    raised = number;
}

int main(void) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    assert(raised == SIGUSR1);
}
