// Readers do not matter to each other: two readers of one variable, one writer.
// Each reader comes before or after the write: 4 executions.
// expect: test: holds 4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static int seen[2];

static void *read_value(void *argument) {
    seen[(long)argument] = value;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, read_value, (void *)i);
    value = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
