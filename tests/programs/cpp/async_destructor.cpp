// The future of `async` waits for the end of its function when it is destroyed.
// expect: test: holds
#include <cassert>
#include <future>

static int value;

int main() {
    (void)std::async(std::launch::async, [] { value = 42; });
    assert(value == 42);
}
