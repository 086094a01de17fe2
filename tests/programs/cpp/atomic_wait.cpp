// Waits for an atomic to change, and is notified.
// expect: test --cc-arg -std=c++20: holds
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready;
static int value;

int main() {
    std::thread thread([] {
        value = 42;
        ready.store(1);
        ready.notify_one();
    });
    ready.wait(0);
    assert(value == 42);
    thread.join();
}
