// A failed read is not noticed: the sum is that of a buffer that nobody has filled.
// expect: test: holds
// expect: test --fail read: violated assertion
#include <assert.h>
#include <unistd.h>

int main(void) {
    char buffer[4];
    long got = read(0, buffer, sizeof buffer);
    assert(got >= 0);
}
