// A static object is destroyed at the end of the program while a detached thread still uses it.
// expect: test: violated race
#include <thread>

struct Log {
    int lines = 0;
    ~Log() { lines = -1; }
};

static Log log_of_all;

int main() {
    std::thread thread([] { log_of_all.lines++; });
    thread.detach();
}
