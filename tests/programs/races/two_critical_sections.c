// Reads the balance in one critical section and writes it in another: no race, but a deposit is lost.
// expect: test: violated assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *unused) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    balance = seen + 10;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(thread, NULL);
    assert(balance == 20);
}
