// What could not be written is counted as written.
// expect: test: holds
// expect: test --fail write: violated assertion
#include <assert.h>
#include <unistd.h>

int main(void) {
    long written = write(1, "done", 4);
    assert(written == 4);
}
