// A thread-local object is made in each thread that uses it, and destroyed at its end, before the thread can be joined.
// expect: test: holds
// missing: this part of the C++ library is not handled, or needs another language standard
#include <cassert>
#include <thread>

static int made, destroyed;

struct Mine {
    int value = 1;
    Mine() { made++; }
    ~Mine() { destroyed++; }
};

static thread_local Mine mine;

int main() {
    std::thread thread([] { mine.value++; });
    thread.join();
    assert(made == 1 && destroyed == 1);
}
