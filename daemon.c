#include <pthread.h>
#include <stdatomic.h>
static atomic_int t;
static void *tick(void *u) { for (;;) t = !t; return u; }
int main(void) { pthread_t x; pthread_create(&x, 0, tick, 0); pthread_detach(x); return 0; }
