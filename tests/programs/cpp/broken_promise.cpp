// A promise that is never kept: the future says so.
// expect: test: holds
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
        std::thread thread([kept = std::move(promise)] {});
        thread.join();
    }
    try {
        future.get();
        assert(false);
    } catch (const std::future_error &) {
    }
}
