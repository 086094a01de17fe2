// Two threads wait, and one of them is notified.
// expect: test --cc-arg -std=c++20: violated deadlock
#include <atomic>
#include <thread>

static std::atomic<int> ready;

int main() {
    std::thread one([] { ready.wait(0); });
    std::thread two([] { ready.wait(0); });
    ready.store(1);
    ready.notify_one();
    one.join();
    two.join();
}
