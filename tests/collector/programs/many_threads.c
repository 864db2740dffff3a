// 25 short threads, a few at a time: thread i works 1000 + i.
#include <pthread.h>

#include "work.h"

static void *run(void *n)
{
    work((unsigned long)n);
    return 0;
}

int main(void)
{
    pthread_t threads[5];
    for (unsigned long first = 0; first < 25; first += 5) {
        for (unsigned long i = 0; i < 5; i++)
            pthread_create(&threads[i], 0, run, (void *)(1000 + first + i));
        for (int i = 0; i < 5; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
