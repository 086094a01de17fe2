// A file that cannot be opened is read all the same.
// expect: test: holds
// expect: test --fail open: violated crash
#include <stdio.h>

int main(void) {
    FILE *file = fopen("/dev/null", "r");
    int first = fgetc(file);
    fclose(file);
    return first != EOF;
}
