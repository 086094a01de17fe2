// A recursive mutex of C11, and one that is not.
// expect: test: violated deadlock
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t recursive, plain;
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&plain, mtx_plain);
    assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    mtx_lock(&plain);
    assert(mtx_trylock(&plain) == thrd_busy);
    mtx_lock(&plain);
}
