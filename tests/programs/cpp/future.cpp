// A promise gives its value to the future.
// expect: test: holds
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] { promise.set_value(42); });
    assert(future.get() == 42);
    thread.join();
}
