// A key that was deleted and created again has no value in any thread.
// expect: test: holds
// missing: a new key keeps the value of an old one
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    int value;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &value);
    pthread_key_delete(key);
    pthread_key_create(&key, NULL);
    assert(pthread_getspecific(key) == NULL);
}
