// A condition variable with a predicate.
// expect: test: holds
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool done;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [] { return done; });
        assert(done);
    }
    thread.join();
}
