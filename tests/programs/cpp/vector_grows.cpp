// One thread appends to a vector while another one reads it.
// expect: test: violated race
#include <thread>
#include <vector>

static std::vector<int> numbers = {1, 2, 3};
static int seen;

int main() {
    std::thread thread([] { numbers.push_back(4); });
    seen = numbers[0];
    thread.join();
}
