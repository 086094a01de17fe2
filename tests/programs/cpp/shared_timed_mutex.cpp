// A shared mutex with time-outs.
// expect: test: holds
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex mutex;
static int one, two;

int main() {
    std::thread reader([] {
        std::shared_lock<std::shared_timed_mutex> lock(mutex, std::chrono::seconds(1));
        if (lock)
            assert(one == two);
    });
    {
        std::unique_lock<std::shared_timed_mutex> lock(mutex, std::chrono::seconds(1));
        if (lock) {
            one++;
            two++;
        }
    }
    reader.join();
}
