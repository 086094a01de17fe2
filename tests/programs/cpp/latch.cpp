// A latch opens when all have counted down.
// expect: test --cc-arg -std=c++20: holds
#include <cassert>
#include <latch>
#include <thread>

static std::latch latch(2);
static int cells[2];

int main() {
    std::thread one([] {
        cells[0] = 1;
        latch.count_down();
    });
    std::thread two([] {
        cells[1] = 1;
        latch.count_down();
    });
    latch.wait();
    assert(cells[0] == 1 && cells[1] == 1);
    one.join();
    two.join();
}
