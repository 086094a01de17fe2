// A shared mutex: readers see the pair whole.
// expect: test: holds
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int one, two;

int main() {
    std::thread reader([] {
        std::shared_lock<std::shared_mutex> lock(mutex);
        assert(one == two);
    });
    {
        std::unique_lock<std::shared_mutex> lock(mutex);
        one++;
        two++;
    }
    reader.join();
}
