// A recursive mutex in a recursive function.
// expect: test: holds
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static int count;

static void add(int depth) {
    std::lock_guard<std::recursive_mutex> guard(mutex);
    count++;
    if (depth > 0)
        add(depth - 1);
}

int main() {
    std::thread thread(add, 2);
    add(1);
    thread.join();
    assert(count == 5);
}
