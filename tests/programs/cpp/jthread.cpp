// A joining thread is asked to stop and joined when its object goes.
// expect: test --cc-arg -std=c++20: holds
#include <cassert>
#include <stop_token>
#include <thread>

static int value;

int main() {
    {
        std::jthread thread([](std::stop_token stop) {
            while (!stop.stop_requested())
                ;
            value = 42;
        });
    }
    assert(value == 42);
}
