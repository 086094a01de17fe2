// What goes in comes out, whatever the schedule. Small on purpose: all schedules are run.
#include <assert.h>

#include "queue.h"

static struct queue queue;

static void *produce(void *unused) {
    for (int value = 1; value <= 3; value++) queue_put(&queue, value);
    return unused;
}

int main(void) {
    pthread_t thread;
    queue_make(&queue);
    pthread_create(&thread, 0, produce, 0);
    for (int value = 1; value <= 3; value++) assert(queue_take(&queue) == value);
    pthread_join(thread, 0);
}
