// A counting semaphore hands over two items.
// expect: test --cc-arg -std=c++20: holds
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> items(0);
static int cells[2];

int main() {
    std::thread thread([] {
        for (int &cell : cells) {
            cell = 1;
            items.release();
        }
    });
    for (int &cell : cells) {
        items.acquire();
        assert(cell == 1);
    }
    thread.join();
}
