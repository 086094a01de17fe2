// Threads print through the standard streams.
// expect: test: holds
#include <iostream>
#include <thread>

int main() {
    std::thread thread([] { std::cout << "one" << std::endl; });
    std::cout << "two " << 2 << std::endl;
    thread.join();
}
