// The flag of C++20 waits and notifies as well.
// expect: test --cc-arg -std=c++20: holds
#include <atomic>
#include <thread>

static std::atomic_flag flag;

int main() {
    std::thread thread([] {
        flag.test_and_set();
        flag.notify_all();
    });
    flag.wait(false);
    thread.join();
}
