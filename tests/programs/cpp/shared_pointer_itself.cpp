// The count is atomic, the pointer itself is not: one thread copies it while the other one exchanges it.
// expect: test: violated race
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
    std::shared_ptr<int> other = std::make_shared<int>(2);
    std::thread thread([] { std::shared_ptr<int> copy = shared; });
    shared.swap(other);
    thread.join();
}
