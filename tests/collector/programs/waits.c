// The first thread says that it is about to wait for the second, which then takes many turns.
#include <pthread.h>

static volatile int waiting;

static void *work(void *unused)
{
    while (!waiting)
        ;
    for (volatile long i = 0; i < 3000000; i++)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    waiting = 1;
    return pthread_join(thread, 0);
}
