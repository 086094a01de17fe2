// Between the two writes the sum is wrong, and the invariant sees it.
// expect: test --invariant balanced: violated invariant
// missing: the expectation is about another form of the report
#include <stdatomic.h>

static atomic_int debit = 50, credit = 50;

int balanced(void) {
    return debit + credit == 100;
}

int main(void) {
    debit -= 10;
    credit += 10;
}
