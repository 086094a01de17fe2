// Waiting with a time-out, in all its forms; it may end before the work is done, and says so.
// expect: test: holds
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
static std::mutex mutex;
static std::condition_variable changed;
static bool done;

int main() {
    std::thread thread([] {
        std::this_thread::sleep_for(10ms);
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
        changed.notify_all();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        bool in_time = changed.wait_for(lock, 1s, [] { return done; });
        assert(in_time == done);
    }
    thread.join();
}
