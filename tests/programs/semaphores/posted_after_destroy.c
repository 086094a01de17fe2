// A semaphore is posted after it was destroyed.
// expect: test: violated misuse
// missing: semaphores that were destroyed are not noticed
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_post(&semaphore);
}
