// A lambda that captures by reference: the local variable is shared.
// expect: test: violated race assertion
#include <cassert>
#include <thread>

int main() {
    int count = 0;
    std::thread thread([&] { count++; });
    count++;
    thread.join();
    assert(count == 2);
}
