// Waits with a mutex that it does not hold.
// expect: test: violated misuse
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until = {0, 0};
    pthread_cond_timedwait(&condition, &mutex, &until);
}
