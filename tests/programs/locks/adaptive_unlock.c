// An adaptive mutex does not check who unlocks it, so unlocking it without holding it is as wrong as for a normal one.
// expect: test: violated misuse
// missing: this misuse of a mutex is not noticed, or the kind of mutex is not handled
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_unlock(&mutex);
}
