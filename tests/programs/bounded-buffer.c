// A buffer of one place with a producer and two consumers. With one condition for both sides, a signal may wake the wrong one.
// expect: test: holds
// expect: test -D ONE_CONDITION: violated deadlock
// expect: test -D WITH_IF: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items;

#ifdef ONE_CONDITION
#define FILLED &filled
#define EMPTIED &filled
#else
#define FILLED &filled
#define EMPTIED &emptied
#endif

#ifdef WITH_IF
#define WAIT_WHILE(condition, on) if (condition) pthread_cond_wait(on, &lock)
#else
#define WAIT_WHILE(condition, on) while (condition) pthread_cond_wait(on, &lock)
#endif

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    WAIT_WHILE(items == 0, FILLED);
    assert(items == 1);
    items--;
    pthread_cond_signal(EMPTIED);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t consumers[2];
    for (int i = 0; i < 2; i++) pthread_create(&consumers[i], 0, consume, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        WAIT_WHILE(items == 1, EMPTIED);
        items++;
        pthread_cond_signal(FILLED);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) pthread_join(consumers[i], 0);
}
