// An exception goes from one thread to the other through a future.
// expect: test: holds
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
        try {
            throw std::runtime_error("message");
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    try {
        future.get();
        assert(false);
    } catch (const std::runtime_error &error) {
        assert(std::string(error.what()) == "message");
    }
    thread.join();
}
