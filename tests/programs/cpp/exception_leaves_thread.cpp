// An exception that nobody catches in its thread terminates the program.
// expect: test: violated abort
#include <stdexcept>
#include <thread>

int main() {
    std::thread thread([] { throw std::runtime_error("lost"); });
    thread.join();
}
