// A stack whose nodes are used again: one thread is about to swap the top, the other one pops two nodes and pushes the first
// one back. The swap succeeds and brings back a node that is not in the stack.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct node {
    struct node *_Atomic next;
    atomic_int taken;
} nodes[2] = {{&nodes[1], 0}, {NULL, 0}};
static struct node *_Atomic top = &nodes[0];

static struct node *pop(void) {
    struct node *first = top;
    while (first && !atomic_compare_exchange_strong(&top, &first, first->next))
        ;
    if (first)
        assert(atomic_fetch_add(&first->taken, 1) == 0);
    return first;
}

static void push(struct node *node) {
    atomic_fetch_sub(&node->taken, 1);
    node->next = top;
    struct node *first = node->next;
    while (!atomic_compare_exchange_strong(&top, &first, node))
        node->next = first;
}

static void *pops(void *unused) {
    pop();
    pop();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, pops, NULL);
    struct node *one = pop(), *two = pop();
    if (one && two)
        push(one);
    pthread_join(thread, NULL);
}
