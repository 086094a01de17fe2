// The queue lock of Mellor-Crummey and Scott (1991): each thread spins on its own cell.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct cell {
    struct cell *_Atomic next;
    atomic_int locked;
};
static struct cell *_Atomic tail;
static int count;

static void lock(struct cell *mine) {
    mine->next = NULL;
    mine->locked = 1;
    struct cell *before = atomic_exchange(&tail, mine);
    if (before) {
        before->next = mine;
        while (mine->locked)
            ;
    }
}

static void unlock(struct cell *mine) {
    struct cell *expected = mine;
    if (!mine->next) {
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!mine->next)
            ;
    }
    mine->next->locked = 0;
}

static void *add(void *unused) {
    struct cell mine;
    lock(&mine);
    count++;
    unlock(&mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
}
