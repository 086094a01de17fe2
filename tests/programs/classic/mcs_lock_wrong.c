// The queue lock without the wait for a successor that is about to enter: the successor waits for ever.
// expect: test: violated livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct cell {
    struct cell *_Atomic next;
    atomic_int locked;
};
static struct cell *_Atomic tail;

static void *enter(void *argument) {
    struct cell *mine = argument, *expected = mine;
    mine->locked = 1;
    struct cell *before = atomic_exchange(&tail, mine);
    if (before) {
        before->next = mine;
        while (mine->locked)
            ;
    }
    if (mine->next)
        mine->next->locked = 0;
    else
        atomic_compare_exchange_strong(&tail, &expected, NULL);
    return NULL;
}

int main(void) {
    static struct cell one, two;
    pthread_t thread;
    pthread_create(&thread, NULL, enter, &one);
    enter(&two);
    pthread_join(thread, NULL);
}
