// A semaphore as a lock, and one that lets two in.
// expect: test: holds 2
// expect: test -D ROOM=2: violated race assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef ROOM
#define ROOM 1
#endif

static sem_t door;
static int inside;

static void *enter(void *unused) {
    sem_wait(&door);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&door);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&door, 0, ROOM);
    pthread_create(&thread, 0, enter, 0);
    enter(0);
    pthread_join(thread, 0);
}
