// The object is destroyed while another thread calls a virtual function of it.
// expect: test --cc-arg -std=c++20: violated race
#include <thread>

struct Base {
    virtual int value() { return 1; }
    virtual ~Base() { }
};
struct Derived : Base {
    int value() override { return 2; }
};

static Derived object;
static int seen;

int main() {
    Base *base = &object;
    std::thread thread([base] { seen = base->value(); });
    base->~Base();
    thread.join();
    new (&object) Derived;
}
