// A barrier of C++20 with a completion step that runs once in each phase.
// expect: test --cc-arg -std=c++20: holds
#include <barrier>
#include <cassert>
#include <thread>

static int completed, cells[2];
static auto complete = []() noexcept { completed++; };
static std::barrier barrier(2, complete);

static void run(int i) {
    cells[i] = 1;
    barrier.arrive_and_wait();
    assert(cells[1 - i] == 1 && completed == 1);
}

int main() {
    std::thread thread(run, 1);
    run(0);
    thread.join();
}
