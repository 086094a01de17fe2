// Sorts an array of its own: many accesses to memory, none of which matters to others.
// expect: test: holds 1
#include <assert.h>
#include <pthread.h>

static int numbers[2][200];

static void *sort(void *argument) {
    int *own = argument;
    for (int i = 0; i < 200; i++)
        own[i] = (i * 77) % 200;
    for (int i = 1; i < 200; i++)
        for (int j = i; j > 0 && own[j - 1] > own[j]; j--) {
            int other = own[j];
            own[j] = own[j - 1];
            own[j - 1] = other;
        }
    for (int i = 0; i < 200; i++)
        assert(own[i] == i);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sort, numbers[0]);
    sort(numbers[1]);
    pthread_join(thread, NULL);
}
