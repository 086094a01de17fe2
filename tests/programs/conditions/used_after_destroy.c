// A condition is signalled after it was destroyed.
// expect: test: violated misuse
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_destroy(&condition);
    pthread_cond_signal(&condition);
}
