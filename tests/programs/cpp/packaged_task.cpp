// A task is run by a thread that got it in a queue.
// expect: test: holds
#include <cassert>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::deque<std::packaged_task<int()>> queue;

int main() {
    std::packaged_task<int()> task([] { return 42; });
    std::future<int> result = task.get_future();
    queue.push_back(std::move(task));
    std::thread thread([] {
        std::packaged_task<int()> mine;
        {
            std::lock_guard<std::mutex> guard(mutex);
            mine = std::move(queue.front());
            queue.pop_front();
        }
        mine();
    });
    assert(result.get() == 42);
    thread.join();
}
