// The same with one guard after the other.
// expect: test: violated deadlock
#include <mutex>
#include <thread>

static std::mutex one, two;

static void both(std::mutex &first, std::mutex &second) {
    std::lock_guard<std::mutex> outer(first);
    std::lock_guard<std::mutex> inner(second);
}

int main() {
    std::thread thread([] { both(one, two); });
    both(two, one);
    thread.join();
}
