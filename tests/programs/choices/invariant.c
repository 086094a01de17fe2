// Between the two writes the sum is wrong, and the invariant sees it.
// expect: test --invariant balanced: violated invariant
#include <stdatomic.h>

static atomic_int debit = 50, credit = 50;

int balanced(void) {
    return debit + credit == 100;
}

int main(void) {
    debit -= 10;
    credit += 10;
}
