// A thread may ask for its own attributes and give itself a name.
// expect: test: holds
// missing: this call, or this way to end, is not handled
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *run(void *unused) {
    pthread_attr_t attributes;
    char name[16] = "";
    size_t size = 0;
    void *low = NULL;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
    assert((char *)low <= name && name < (char *)low + size);
    pthread_attr_destroy(&attributes);
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
