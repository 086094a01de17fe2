// An exception that is caught in its thread releases the guard on its way.
// expect: test: holds
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static int failures;

static void fail() {
    std::lock_guard<std::mutex> guard(mutex);
    failures++;
    throw std::runtime_error("failed");
}

static void run() {
    try {
        fail();
        assert(false);
    } catch (const std::runtime_error &) {
    }
}

int main() {
    std::thread thread(run);
    run();
    thread.join();
    assert(failures == 2);
}
