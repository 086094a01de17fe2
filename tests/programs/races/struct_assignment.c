// A structure is assigned as a whole while another thread does the same.
// expect: test: violated race
#include <pthread.h>

static struct triple {
    long one, two, three;
} shared;

static void *assign(void *unused) {
    struct triple mine = {1, 2, 3};
    shared = mine;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, assign, NULL);
    assign(NULL);
    pthread_join(thread, NULL);
}
