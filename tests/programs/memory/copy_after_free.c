// The end of a copied range lies in a block that was freed.
// expect: test: violated memory
#include <stdlib.h>
#include <string.h>

static struct {
    char *block;
    size_t size;
} whole = {NULL, 64};

int main(void) {
    char target[64];
    whole.block = malloc(whole.size);
    memset(whole.block, 0, whole.size);
    free(whole.block);
    memcpy(target, whole.block, whole.size);
}
