// An allocation may fail, and the program does not look.
// expect: test --fail malloc: violated crash
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    *block = 1;
    free(block);
}
