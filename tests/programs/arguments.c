// The number of increments comes from the command line.
// expect: test -- 1: holds 1
// expect: test -- 2: violated race
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *add(void *unused) {
    counter++;
    return unused;
}

int main(int count, char **words) {
    if (count < 2) abort();
    int number = atoi(words[1]);
    pthread_t threads[4];
    for (int i = 0; i < number; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < number; i++) pthread_join(threads[i], 0);
}
