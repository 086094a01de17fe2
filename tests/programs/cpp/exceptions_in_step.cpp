// Two threads handle exceptions at the same time: each has its own.
// expect: test: holds
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> steps;

static void run(int number) {
    try {
        try {
            throw number;
        } catch (int inner) {
            steps++;
            assert(inner == number);
            throw;
        }
    } catch (int outer) {
        steps++;
        assert(outer == number);
    }
}

int main() {
    std::thread thread(run, 1);
    run(2);
    thread.join();
}
