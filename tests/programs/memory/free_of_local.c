// What is freed was never allocated.
// expect: test --cc-arg -Wno-free-nonheap-object: violated memory
#include <stdlib.h>

int main(void) {
    int local = 0;
    free(&local);
}
