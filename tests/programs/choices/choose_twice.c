// Two choices: 2 times 3 executions.
// expect: test: holds 6
#include <assert.h>

unsigned motet_choose(unsigned count);

int main(void) {
    unsigned one = motet_choose(2), two = motet_choose(3);
    assert(one < 2 && two < 3);
}
