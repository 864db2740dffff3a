// Threads that create threads at once: each of four makes two, in no order, which do work of their own; thread
// i of thread t works 1000 t + 100 i.
#include <pthread.h>
#include <sched.h>

#include "work.h"

static void *grandchild(void *n)
{
    work((unsigned long)n);
    return 0;
}

static void *child(void *n)
{
    unsigned long t = (unsigned long)n;
    pthread_t made[2];
    for (unsigned long i = 0; i < 2; i++) {
        work(50);
        for (unsigned long k = 0; k < 5 - t; k++)
            sched_yield();
        pthread_create(&made[i], 0, grandchild, (void *)(1000 * t + 100 * i));
    }
    for (int i = 0; i < 2; i++)
        pthread_join(made[i], 0);
    return 0;
}

int main(void)
{
    pthread_t made[4];
    for (unsigned long t = 0; t < 4; t++)
        pthread_create(&made[t], 0, child, (void *)(t + 1));
    for (int t = 0; t < 4; t++)
        pthread_join(made[t], 0);
    return 0;
}
