// A point that the program marks is a step, but it matters to nobody: one execution.
// expect: test: holds 1
#include <pthread.h>

void motet_point(void);

static void *run(void *unused) {
    motet_point();
    motet_point();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
}
