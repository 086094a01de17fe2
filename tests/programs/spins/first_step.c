// A ring with room for one element and plain variables: the new thread waits before it has done anything that others can see.
// expect: test --ignore race: holds
// expect: test: violated race
#include <pthread.h>

static unsigned head, tail;
static int slots[2];

static int put(int value) {
    if (tail - head == 1)
        return 0;
    slots[tail % 2] = value;
    tail++;
    return 1;
}

static int get(int *value) {
    if (tail == head)
        return 0;
    *value = slots[head % 2];
    head++;
    return 1;
}

static void *produce(void *unused) {
    for (int i = 0; i < 2; i++)
        while (!put(i))
            ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        int value;
        while (!get(&value))
            ;
    }
    pthread_join(thread, NULL);
}
