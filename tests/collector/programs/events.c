// Ways to leave a function or a thread that are no return, and code that no file holds.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "work.h"

#define NOINLINE __attribute__((noinline, noclone))

static jmp_buf landing;
static volatile int handled;
static ucontext_t home, away;

NOINLINE int deep(int n)
{
    if (n == 0)
        longjmp(landing, 1);
    return deep(n - 1) + 1;
}

NOINLINE long down(long n)
{
    return n ? down(n - 1) + 1 : 0;
}

NOINLINE void handle(int signal)
{
    handled += signal > 0;
}

NOINLINE void turn(void)
{
    for (;;)
        swapcontext(&away, &home);
}

static void *worker(void *n)
{
    work((unsigned long)n);
    return 0;
}

static void *descend(void *n)
{
    return (void *)down((long)n);
}

static void run_thread(void *(*function)(void *), unsigned long argument, size_t stack)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_create(&thread, &attributes, function, (void *)argument);
    pthread_join(thread, 0);
}

static void jumps(void)
{
    for (volatile int i = 0; i < 10; i++)
        if (!setjmp(landing))
            deep(5);
}

static void signals(void)
{
    signal(SIGUSR1, handle);
    for (int i = 0; i < 50; i++)
        raise(SIGUSR1);
}

static void coroutines(void)
{
    static char stack[1 << 16];
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    makecontext(&away, turn, 0);
    for (int i = 0; i < 100; i++)
        swapcontext(&home, &away);
}

static void compiled(void)
{
    // mov $7, %ecx; dec %ecx; jnz .-2; ret
    static const unsigned char code[] = {0xb9, 7, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    for (int i = 0; i < 20; i++)
        ((void (*)(void))page)();
}

int main(int argc, char **argv)
{
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'j': jumps(); break;
    case 's': signals(); break;
    case 'c': coroutines(); break;
    case 'a': compiled(); break;
    case 'd': run_thread(descend, 1000000, 1 << 28); break;
    case 't':
        for (unsigned long i = 0; i < 200; i++)
            run_thread(worker, 1000 + i, 1 << 16);
        break;
    case 'f':
        work(300);
        if (!fork()) {
            work(200);
            _exit(0);
        }
        wait(0);
        work(100);
        break;
    case 'e':
        work(1000);
        for (;;)
            work(1000000);
    }
    return 0;
}
