// The count of a shared pointer is atomic: the object is destroyed once, by the last one.
// expect: test: holds
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct Object {
    int value = 42;
    ~Object() { destroyed++; }
};

static void use(std::shared_ptr<Object> object) {
    assert(object->value == 42);
}

int main() {
    auto object = std::make_shared<Object>();
    std::thread one(use, object), two(use, object);
    object.reset();
    one.join();
    two.join();
    assert(destroyed == 1);
}
