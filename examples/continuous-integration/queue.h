// A queue of two places between threads.
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>

struct queue {
    int places[2];
    int length;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void queue_make(struct queue *queue);
void queue_put(struct queue *queue, int value);
int queue_take(struct queue *queue);
#endif
