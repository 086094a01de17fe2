// Neighbouring bit fields share their memory: writing one writes the other.
// expect: test: violated race
#include <pthread.h>

static struct {
    unsigned one : 4, two : 4;
} fields;

static void *write_one(void *unused) {
    fields.one = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_one, NULL);
    fields.two = 1;
    pthread_join(thread, NULL);
}
