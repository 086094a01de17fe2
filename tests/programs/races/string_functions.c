// A string is copied while another thread measures it: library functions access memory, too.
// expect: test: violated race
// missing: string functions of libc are not announced
#include <pthread.h>
#include <string.h>

static char text[16];
static size_t length;

static void *measure(void *unused) {
    length = strlen(text);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, measure, NULL);
    strcpy(text, "abc");
    pthread_join(thread, NULL);
}
