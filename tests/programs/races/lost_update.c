// Two threads count without a lock: an update is lost, and the accesses race.
// expect: test: violated race assertion
#include <assert.h>
#include <pthread.h>

static int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
}
