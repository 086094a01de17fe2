// Workers that wait for jobs, and variables of many types.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct job {
    int number;
    struct job *next;
};
enum colour { RED, GREEN = 5 };

struct job last = {2, NULL}, first = {1, &last};
struct job *current = &first;
enum colour colour = GREEN;
char kinds[3] = "ab";
bool done;
double half = 0.5;
int taken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!done) pthread_cond_wait(&more, &lock);
    taken++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
}
