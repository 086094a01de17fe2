// The queue of Michael and Scott (1996) without reuse of nodes: two threads append, all of it arrives.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
};
static struct node nodes[3];
static struct node *_Atomic tail = &nodes[0];

static void *append(void *argument) {
    struct node *node = argument;
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next == NULL && atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return NULL;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
    }
}

int main(void) {
    pthread_t thread;
    int length = 0;
    pthread_create(&thread, NULL, append, &nodes[1]);
    append(&nodes[2]);
    pthread_join(thread, NULL);
    for (struct node *node = &nodes[0]; node; node = node->next)
        length++;
    assert(length == 3 && tail->next == NULL);
}
