// The initialisation needs itself: it waits for its own end.
// expect: test: violated deadlock
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void initialise(void) {
    pthread_once(&control, initialise);
}

int main(void) {
    pthread_once(&control, initialise);
}
