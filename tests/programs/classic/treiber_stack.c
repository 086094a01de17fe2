// Treiber's stack (1986): pushes by compare-and-swap lose nothing.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct node {
    struct node *next;
} nodes[2];
static struct node *_Atomic top;

static void *push(void *argument) {
    struct node *node = argument;
    node->next = top;
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(top->next->next == NULL);
}
