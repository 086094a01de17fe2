// A mutex is locked in memory that was given back.
// expect: test: violated memory
// missing: this misuse of a mutex is not noticed, or the kind of mutex is not handled
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    free(mutex);
    pthread_mutex_lock(mutex);
}
