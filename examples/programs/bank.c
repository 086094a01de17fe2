// Two transfers between two accounts, each of which has a lock. Taking the locks in the order of the transfer
// is the mistake; `motet test -D IN_ORDER` shows that one order for all mends it.
// expect: test: violated deadlock
// expect: test -D IN_ORDER: holds 2
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(int from, int to, int amount) {
#ifdef IN_ORDER
    int first = from < to ? from : to;
#else
    int first = from;
#endif
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[1 - first].lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[1 - first].lock);
    pthread_mutex_unlock(&accounts[first].lock);
}

static void *back(void *unused) {
    transfer(1, 0, 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, back, 0);
    transfer(0, 1, 5);
    pthread_join(thread, 0);
    assert(accounts[0].balance + accounts[1].balance == 20);
}
