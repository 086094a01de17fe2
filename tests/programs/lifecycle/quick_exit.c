// `_exit` ends the program without handlers.
// expect: test: holds
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) {
    assert(0);
}

int main(void) {
    atexit(handler);
    _exit(0);
}
