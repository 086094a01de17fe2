// Joins a handle that no thread has.
// expect: test: violated misuse
#include <pthread.h>

int main(void) {
    pthread_t thread = 0;
    pthread_join(thread, NULL);
}
