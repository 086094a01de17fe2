// A thread object is destroyed before the thread was joined: the program is terminated.
// expect: test: violated abort
#include <thread>

int main() {
    std::thread thread([] {});
}
