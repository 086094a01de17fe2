// The lock-free hash table of Userspace RCU: two threads add the same key, and one of them succeeds; `-D REMOVE` lets one of them
// take it out again, and `-D PLAIN` adds without looking, so that the key is there twice.
#include <assert.h>
#include <pthread.h>
#include <urcu/urcu-mb.h>
#include <urcu/rculfhash.h>

struct entry {
    int key;
    struct cds_lfht_node node;
};
static struct cds_lfht *table;
static struct entry entries[2] = {{7}, {7}};
static int added[2], removed;

static int matches(struct cds_lfht_node *node, const void *key) {
    return caa_container_of(node, struct entry, node)->key == *(const int *)key;
}

static void add(int who) {
    struct entry *mine = &entries[who];
    urcu_mb_read_lock();
#ifdef PLAIN
    cds_lfht_add(table, 7, &mine->node);
    added[who] = 1;
#else
    added[who] = cds_lfht_add_unique(table, 7, matches, &mine->key, &mine->node) == &mine->node;
#endif
#ifdef REMOVE
    if (who && added[who] && cds_lfht_del(table, &mine->node) == 0) removed = 1;
#endif
    urcu_mb_read_unlock();
}

static void *run(void *who) {
    urcu_mb_register_thread();
    add(1);
    urcu_mb_unregister_thread();
    return who;
}

int main(void) {
    pthread_t thread;
    urcu_mb_register_thread();
    table = cds_lfht_new_flavor(1, 1, 1, 0, &urcu_mb_flavor, NULL);
    pthread_create(&thread, NULL, run, NULL);
    add(0);
    pthread_join(thread, NULL);
    struct cds_lfht_iter iterator;
    int count = 0;
    urcu_mb_read_lock();
    cds_lfht_first(table, &iterator);
    while (cds_lfht_iter_get_node(&iterator)) {
        count++;
        cds_lfht_next(table, &iterator);
    }
    urcu_mb_read_unlock();
    assert(count == added[0] + added[1] - removed);
    assert(count <= 1);
    urcu_mb_unregister_thread();
}
