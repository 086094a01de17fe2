// A notification orders nothing: with relaxed accesses the value is racy.
// expect: test --cc-arg -std=c++20: violated race
#include <atomic>
#include <thread>

static std::atomic<int> ready;
static int value, seen;

int main() {
    std::thread thread([] {
        value = 42;
        ready.store(1, std::memory_order_relaxed);
        ready.notify_one();
    });
    ready.wait(0, std::memory_order_relaxed);
    seen = value;
    thread.join();
}
