// `errno` belongs to each thread.
// expect: test: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static void *fail(void *unused) {
    errno = 0;
    close(-1);
    assert(errno == EBADF);
    return unused;
}

int main(void) {
    pthread_t thread;
    errno = EINTR;
    pthread_create(&thread, NULL, fail, NULL);
    pthread_join(thread, NULL);
    assert(errno == EINTR);
}
