// A node is popped and freed while another thread is about to read its successor.
// expect: test --all: violated memory race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node *_Atomic top;

static void push(void) {
    struct node *node = malloc(sizeof *node);
    node->next = top;
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static void *pop(void *unused) {
    struct node *first = top;
    while (first && !atomic_compare_exchange_weak(&top, &first, first->next))
        ;
    free(first);
    return unused;
}

int main(void) {
    pthread_t thread;
    push();
    push();
    pthread_create(&thread, NULL, pop, NULL);
    pop(NULL);
    pthread_join(thread, NULL);
}
