// A condition of C11 in its loop.
// expect: test: holds 2
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int done;

static int work(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    done = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, work, NULL);
    mtx_lock(&mutex);
    while (!done)
        cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
}
