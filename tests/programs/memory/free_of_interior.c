// What is freed is a pointer into a block, not to its beginning.
// expect: test --cc-arg -Wno-free-nonheap-object: violated memory
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *block = malloc(64);
    memset(block, 1, 64);
    free(block + 16);
}
