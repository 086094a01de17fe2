// The flag is changed without the mutex: the notification can be lost.
// expect: test: violated lost-wakeup
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> done;

int main() {
    std::thread thread([] {
        done = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [] { return done.load(); });
    }
    thread.join();
}
