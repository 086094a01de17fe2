// The change is not notified: who sleeps already, sleeps on.
// expect: test --cc-arg -std=c++20: violated deadlock
#include <atomic>
#include <thread>

static std::atomic<int> ready;

int main() {
    std::thread thread([] { ready.store(1); });
    ready.wait(0);
    thread.join();
}
