// A program that a signal ends: the first thread to come sends it. Nothing of it can be caught, so that the process is gone.
// expect: test: violated crash
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int somebody;

static void *come(void *unused) {
    if (atomic_exchange(&somebody, 1) == 0 && unused == 0) kill(getpid(), SIGKILL);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, come, 0);
    come(&thread);
    pthread_join(thread, 0);
}
