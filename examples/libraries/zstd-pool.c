// The thread pool of Zstandard: jobs that were added are run before the pool is freed.
#include <assert.h>
#include <stddef.h>

#include "pool.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif
static int done[JOBS];

static void job(void *at) { ++*(int *)at; }

int main(void) {
    POOL_ctx *pool = POOL_create(THREADS, 1);
    assert(pool);
    for (int i = 0; i < JOBS; i++) POOL_add(pool, job, &done[i]);
#ifdef RESIZE
    POOL_resize(pool, THREADS + 1);
#endif
#ifdef JOIN
    POOL_joinJobs(pool);
    for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
#endif
    POOL_free(pool);
    for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
}
