// A handler repairs a fault by changing a register; what runs on needs all the others, which
// were changed in the block that faulted.
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

enum { ROUNDS = 50 };

static long five = 5;

static void repair(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RDI] = (long)&five;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    long sum = 0;
    for (long i = 0; i < ROUNDS; i++) {
        long out;
        __asm__ volatile("lea 7(%1), %%rcx\n\t"
                         "xor %%edi, %%edi\n\t"
                         "mov (%%rdi), %%rax\n\t"
                         "lea (%%rax, %%rcx), %0"
                         : "=r"(out)
                         : "r"(i)
                         : "rax", "rcx", "rdi", "memory");
        sum += out;
    }
    return sum == ROUNDS * 12 + ROUNDS * (ROUNDS - 1) / 2 ? 3 : 1;
}
