// A function runs in another thread, and its result comes back.
// expect: test: holds
#include <cassert>
#include <future>

static int half(int value) {
    return value / 2;
}

int main() {
    auto one = std::async(std::launch::async, half, 84);
    auto two = std::async(std::launch::deferred, half, 2);
    assert(one.get() == 42 && two.get() == 1);
}
