// As many threads as are asked for, all at once: thread i works 1000 + i. While they live, the first thread and
// the last of them fork; each child makes half as many again, and as many after that, where thread i works
// 2000 + i.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static long threads;
static pthread_barrier_t all_live, all_forked;

static void *worker(void *n)
{
    work((unsigned long)n);
    return 0;
}

static void child(void)
{
    pthread_t *ids = malloc((size_t)threads * sizeof *ids);
    for (long time = 1; time <= 2; time++) {
        long count = time * threads / 2;
        for (long i = 0; i < count; i++)
            if (pthread_create(&ids[i], 0, worker, (void *)(2000 + i)))
                _exit(1);
        for (long i = 0; i < count; i++)
            pthread_join(ids[i], 0);
    }
    _exit(0);
}

static void fork_and_wait(void)
{
    int status;
    if (!fork())
        child();
    if (wait(&status) < 0 || status)
        exit(1);
}

static void *run(void *n)
{
    work(1000 + (unsigned long)n);
    pthread_barrier_wait(&all_live);
    if ((long)n == threads - 1)
        fork_and_wait();
    pthread_barrier_wait(&all_forked);
    return 0;
}

int main(int argc, char **argv)
{
    threads = argc > 1 ? strtol(argv[1], 0, 10) : 40;
    pthread_t *ids = malloc((size_t)threads * sizeof *ids);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_barrier_init(&all_live, 0, (unsigned)threads + 1);
    pthread_barrier_init(&all_forked, 0, (unsigned)threads + 1);
    for (long i = 0; i < threads; i++)
        if (pthread_create(&ids[i], &small, run, (void *)i))
            return 2;
    pthread_barrier_wait(&all_live);
    fork_and_wait();
    pthread_barrier_wait(&all_forked);
    for (long i = 0; i < threads; i++)
        pthread_join(ids[i], 0);
    return 0;
}
