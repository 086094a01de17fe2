// Two threads push to and pop from the lock-free stack of Concurrency Kit. What was pushed is popped once, or is still there.
// Its manual says that a node must not be used again while others may hold it: `-D REUSE` does that all the same.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

struct item {
    ck_stack_entry_t entry;
    int popped;
};
static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[3];

static void push(struct item *item) { ck_stack_push_upmc(&stack, &item->entry); }

static struct item *pop(void) { return (struct item *)ck_stack_pop_upmc(&stack); }

// Takes two, and gives the first one back: the head is as it was, and what is behind it is not.
static void *take_two(void *unused) {
    struct item *one = pop(), *two = pop();
    if (two) two->popped++;
#ifdef REUSE
    if (one) push(one);
#else
    if (one) one->popped++;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) push(&items[i]);
    pthread_create(&thread, NULL, take_two, NULL);
    struct item *mine = pop();
    if (mine) mine->popped++;
    pthread_join(thread, NULL);
    for (struct item *rest = pop(); rest; rest = pop()) rest->popped++;
    for (int i = 0; i < 3; i++) assert(items[i].popped == 1);
}
