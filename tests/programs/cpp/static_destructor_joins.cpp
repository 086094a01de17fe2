// A static object whose destructor joins its thread: that one ends before the program does.
// expect: test: holds
#include <cassert>
#include <thread>

static int value;

struct Worker {
    std::thread thread;
    ~Worker() {
        thread.join();
        assert(value == 42);
    }
};

static Worker worker;

int main() {
    worker.thread = std::thread([] { value = 42; });
}
