// The latch waits for three, and two come.
// expect: test --cc-arg -std=c++20: violated deadlock
#include <latch>
#include <thread>

static std::latch latch(3);

int main() {
    std::thread thread([] { latch.arrive_and_wait(); });
    latch.arrive_and_wait();
    thread.join();
}
