// The readers of this lock by hand hand it over to each other until the writer was there: it never finds a moment without a reader.
// expect: test: violated livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, written;

static void *read_on(void *unused) {
    while (!written)
        ;
    readers--;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    readers = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, read_on, NULL);
    while (readers > 0)
        ;
    written = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
