// The remedy of allocation_fails.c. Each of two allocations fails or not, the second only if the first did not: 3 executions.
// expect: test --fail malloc: holds 3
#include <stdlib.h>

int main(void) {
    int *one = malloc(sizeof *one);
    if (one) {
        int *two = calloc(1, sizeof *two);
        if (two)
            *two = 1;
        free(two);
    }
    free(one);
}
