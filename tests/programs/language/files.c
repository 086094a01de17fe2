// A file is written and read again, in each run anew.
// expect: test: holds
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;

static void *write_line(void *unused) {
    pthread_mutex_lock(&mutex);
    fputs("line\n", file);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int lines = 0;
    file = tmpfile();
    assert(file);
    pthread_create(&thread, NULL, write_line, NULL);
    write_line(NULL);
    pthread_join(thread, NULL);
    rewind(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        lines += c == '\n';
    assert(lines == 2);
    fclose(file);
}
