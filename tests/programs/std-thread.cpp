// Threads, locks and atomics of C++.
// expect: test: holds 2
// expect: test -D UNLOCKED: violated race assertion
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void add() {
#ifndef UNLOCKED
    std::lock_guard<std::mutex> held(lock);
#endif
    counter++;
}

int main() {
    std::thread first(add), second(add);
    first.join();
    second.join();
    assert(counter == 2);
}
