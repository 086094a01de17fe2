// The kernel writes into memory of the program that it has not touched before.
// expect: test: holds
// missing: this part of libc or of time is not handled
#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/utsname.h>

static struct utsname name;

int main(void) {
    char *block = malloc(100000);
    assert(uname(&name) == 0 && name.sysname[0] != 0);
    assert(getrandom(block + 50000, 16, 0) == 16);
    free(block);
}
