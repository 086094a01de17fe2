// Threads of C11 with a mutex: creation, results, joining.
// expect: test: holds 2
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int count;

static int add(void *argument) {
    mtx_lock(&mutex);
    count += *(int *)argument;
    mtx_unlock(&mutex);
    return -5;
}

int main(void) {
    thrd_t thread;
    int one = 1, two = 2, result = 0;
    mtx_init(&mutex, mtx_plain);
    assert(thrd_create(&thread, add, &one) == thrd_success);
    add(&two);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(count == 3 && result == -5);
    mtx_destroy(&mutex);
}
