// The ticket is drawn in two steps: two threads can get the same one.
// expect: test --all: violated race livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int count;

static void *add(void *unused) {
    unsigned mine = next;
    next = mine + 1;
    while (serving != mine)
        ;
    count++;
    serving++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
