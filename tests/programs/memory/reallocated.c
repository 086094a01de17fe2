// Growing a block keeps what is in it, and the old one is gone.
// expect: test: holds
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *block = calloc(4, sizeof *block);
    assert(block[3] == 0);
    block[3] = 42;
    block = realloc(block, 4096 * sizeof *block);
    assert(block[3] == 42);
    block[4095] = 1;
    free(block);
    free(NULL);
}
