// The program chooses one of three values, and each is tried.
// expect: test: violated assertion
#include <assert.h>

unsigned motet_choose(unsigned count);

int main(void) {
    assert(motet_choose(3) != 2);
}
