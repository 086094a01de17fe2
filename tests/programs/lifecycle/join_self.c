// A thread that joins itself is told that this would be a deadlock.
// expect: test: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
}
