// A binary semaphore with a time-out.
// expect: test --cc-arg -std=c++20: holds
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore filled(0);
static int value;

int main() {
    std::thread thread([] {
        value = 42;
        filled.release();
    });
    if (filled.try_acquire_for(std::chrono::milliseconds(10)))
        assert(value == 42);
    thread.join();
}
