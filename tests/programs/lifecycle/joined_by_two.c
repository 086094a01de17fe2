// Two threads join the same one.
// expect: test: violated misuse
// missing: this call, or this way to end, is not handled
#include <pthread.h>

static pthread_t shared;

static void *idle(void *unused) {
    return unused;
}

static void *join(void *unused) {
    pthread_join(shared, NULL);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&shared, NULL, idle, NULL);
    pthread_create(&one, NULL, join, NULL);
    pthread_create(&two, NULL, join, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
