// Timed lock and timed wait of C11: either result is possible.
// expect: test: holds
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static int done;

static int work(void *unused) {
    (void)unused;
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    int result = mtx_timedlock(&mutex, &until);
    assert(result == thrd_success || result == thrd_timedout);
    if (result != thrd_success)
        return 1;
    done = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec until;
    int result = thrd_success;
    mtx_init(&mutex, mtx_timed);
    cnd_init(&changed);
    thrd_create(&thread, work, NULL);
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    mtx_lock(&mutex);
    while (!done && result == thrd_success)
        result = cnd_timedwait(&changed, &mutex, &until);
    assert(done || result == thrd_timedout);
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
}
