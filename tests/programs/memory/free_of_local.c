// What is freed was never allocated.
// expect: violated memory
// compile: -Wno-free-nonheap-object
#include <stdlib.h>

int main(void) {
    int local = 0;
    free(&local);
}
