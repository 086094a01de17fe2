// Joins a handle that no thread has.
// expect: test: violated misuse
// missing: this call, or this way to end, is not handled
#include <pthread.h>

int main(void) {
    pthread_t thread = 0;
    pthread_join(thread, NULL);
}
