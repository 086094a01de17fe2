// The standard input is one of several files: this one has no line that is a number.
// expect: test --input tests/programs/choices/numbers.txt: holds 1
// expect: test --input tests/programs/choices/numbers.txt --input tests/programs/choices/words.txt: violated assertion
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0, sum = 0;
    assert(scanf("%d", &number) == 1);
    sum += number;
    assert(scanf("%d", &number) == 1);
    sum += number;
    assert(sum == 42);
}
