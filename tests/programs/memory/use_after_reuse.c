// The block is freed and the same memory is given out again before the stale pointer is used.
// expect: test: violated memory
// missing: freed memory is not looked at in atomic operations and locks, nor when it is used again
#include <stdlib.h>

int main(void) {
    int *stale = malloc(16);
    free(stale);
    int *fresh = malloc(16);
    *fresh = 1;
    *stale = 2;
    free(fresh);
}
