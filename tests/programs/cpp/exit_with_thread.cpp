// The program ends while the main thread's object still has a thread: static objects of `std::thread` must be joined.
// expect: test: violated abort
// missing: this part of the C++ library is not handled, or needs another language standard
#include <thread>

static std::thread forgotten;

int main() {
    forgotten = std::thread([] {});
}
