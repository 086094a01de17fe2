// Two threads of the standard library count under a mutex.
// expect: test: holds 2
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int count;

static void add() {
    std::lock_guard<std::mutex> guard(mutex);
    count++;
}

int main() {
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(count == 2);
}
