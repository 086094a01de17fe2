// A block is reused for less than it holds and then grows: all of it may be used.
// expect: test: holds
// missing: takes too long to search
#include <stdlib.h>

int main(void) {
    char *block = malloc(32);
    free(block);
    block = malloc(20);
    block = realloc(block, 32);
    block[31] = 1;
    free(block);
}
