// Works and fills memory with REP instructions while a timer interrupts it. The handler uses the
// same REP instruction, so that one execution of it may lie in the middle of another.
#include <signal.h>
#include <sys/time.h>

#include "work.h"

static char memory[1 << 16];
static volatile unsigned long handled;

static __attribute__((noinline)) void fill(char *at, unsigned long n)
{
    __asm__ volatile(".globl fill_at\n"
                     "fill_at: rep stosb\n"
                     : "+D"(at), "+c"(n)
                     : "a"(1)
                     : "memory");
}

static void handle(int signal)
{
    (void)signal;
    char small[64];
    fill(small, sizeof small);
    __asm__ volatile(".globl handled_at\nhandled_at: incq %0" : "+m"(handled));
}

int main(void)
{
    struct itimerval timer = {{0, 300}, {0, 300}};
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &timer, 0);
    while (handled < 200) {
        __asm__ volatile(".globl rounds_at\nrounds_at: nop");
        fill(memory, sizeof memory);
        work(500);
    }
    return 0;
}
