// `std::call_once` calls once.
// expect: test: holds
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls;

static void run() {
    std::call_once(flag, [] { calls++; });
    assert(calls == 1);
}

int main() {
    std::thread thread(run);
    run();
    thread.join();
}
