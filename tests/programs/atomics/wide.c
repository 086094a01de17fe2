// Operations on all sizes, signed and unsigned, wrap around as in C.
// expect: test: holds
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t byte = 255;
static _Atomic uint16_t two = 1;
static _Atomic int32_t four = -1;
static _Atomic uint64_t eight = 1;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_bool truth;

int main(void) {
    assert(byte++ == 255 && byte == 0);
    assert(atomic_fetch_sub(&two, 2) == 1 && two == 65535);
    assert(atomic_fetch_xor(&four, 1) == -1 && four == -2);
    assert(atomic_fetch_or(&eight, UINT64_C(1) << 63) == 1 && eight == (UINT64_C(1) << 63 | 1));
    assert(atomic_fetch_and(&eight, 1) != 1 && eight == 1);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    assert(!atomic_exchange(&truth, 1) && truth);
}
