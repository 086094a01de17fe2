// Between the two writes the sum is wrong, and the invariant sees it.
// expect: violated invariant
// options: --invariant balanced
#include <stdatomic.h>

static atomic_int debit = 50, credit = 50;

int balanced(void) {
    return debit + credit == 100;
}

int main(void) {
    debit -= 10;
    credit += 10;
}
