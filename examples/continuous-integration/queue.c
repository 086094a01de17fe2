#include "queue.h"

void queue_make(struct queue *queue) {
    queue->length = 0;
    pthread_mutex_init(&queue->lock, 0);
    pthread_cond_init(&queue->changed, 0);
}

void queue_put(struct queue *queue, int value) {
    pthread_mutex_lock(&queue->lock);
    while (queue->length == 2) pthread_cond_wait(&queue->changed, &queue->lock);
    queue->places[queue->length++] = value;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

int queue_take(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    while (queue->length == 0) pthread_cond_wait(&queue->changed, &queue->lock);
    int value = queue->places[0];
    queue->places[0] = queue->places[1];
    queue->length--;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return value;
}
