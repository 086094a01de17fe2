// A thread object is destroyed before the thread was joined: the program is terminated.
// expect: test: violated abort
// missing: this part of the C++ library is not handled, or needs another language standard
#include <thread>

int main() {
    std::thread thread([] {});
}
