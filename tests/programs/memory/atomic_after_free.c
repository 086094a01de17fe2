// An atomic operation on memory that was freed.
// expect: test: violated memory
// missing: freed memory is not looked at in atomic operations and locks, nor when it is used again
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    atomic_int *count = malloc(sizeof *count);
    atomic_init(count, 0);
    free(count);
    atomic_fetch_add(count, 1);
}
