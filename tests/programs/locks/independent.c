// Two threads with a mutex each: nothing that one does matters to the other, so one execution stands for all.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t mutex;
    int count;
} cells[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *add(void *argument) {
    int i = *(int *)argument;
    pthread_mutex_lock(&cells[i].mutex);
    cells[i].count++;
    pthread_mutex_unlock(&cells[i].mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(cells[0].count == 1 && cells[1].count == 1);
}
