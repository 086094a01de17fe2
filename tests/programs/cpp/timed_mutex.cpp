// A timed mutex: the attempt succeeds or not.
// expect: test: holds
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static int count;

static int add() {
    std::unique_lock<std::timed_mutex> lock(mutex, std::chrono::seconds(1));
    if (lock)
        count++;
    return lock ? 1 : 0;
}

int main() {
    int one = 0;
    std::thread thread([&] { one = add(); });
    int two = add();
    thread.join();
    assert(count == one + two);
}
