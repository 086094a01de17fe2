// The final values that runs observe: 1 and 2, depending on who was last.
// expect: test: holds 2
#include <pthread.h>
#include <stdatomic.h>

void motet_observe(unsigned long value);

static atomic_int last;

static void *set(void *argument) {
    last = *(int *)argument;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int numbers[2] = {1, 2};
    pthread_create(&thread, NULL, set, &numbers[0]);
    set(&numbers[1]);
    pthread_join(thread, NULL);
    motet_observe(last);
}
