// A static variable in a function is initialised once, whoever comes first.
// expect: test: holds
// missing: this part of the C++ library is not handled, or needs another language standard
#include <cassert>
#include <thread>

static int made;

struct Instance {
    int value = 0;
    Instance() {
        made++;
        value = 42;
    }
};

static void use() {
    static Instance instance;
    assert(instance.value == 42);
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
    assert(made == 1);
}
