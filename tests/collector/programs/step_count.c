// The oracle: runs a program one instruction at a time and prints how often each address was
// executed, as `address count` lines. Consecutive steps at one address are one execution if the
// instruction is a REP string instruction, which the processor steps an iteration at a time.
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 1 << 20 };

static struct {
    unsigned long address, count;
} slots[SLOTS];

static void add(unsigned long address)
{
    unsigned long i = address * 0x9e3779b97f4a7c15u >> 44;
    while (slots[i].address && slots[i].address != address)
        i = (i + 1) % SLOTS;
    slots[i].address = address;
    slots[i].count++;
}

static unsigned long address_of(pid_t pid)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, pid, 0, &registers))
        exit(2);
    return registers.rip;
}

static bool is_rep_string(pid_t pid, unsigned long address)
{
    bool rep = false;
    for (;; address++) {
        unsigned char byte = (unsigned char)ptrace(PTRACE_PEEKTEXT, pid, address, 0);
        if (byte == 0xf2 || byte == 0xf3)
            rep = true;
        else if (byte != 0x66 && byte != 0x67 && (byte & 0xf0) != 0x40)
            return rep && ((byte >= 0xa4 && byte <= 0xa7) || (byte >= 0xaa && byte <= 0xaf));
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }

    int status, signal = 0;
    unsigned long rep = 0; // the REP instruction in the middle of its iterations
    waitpid(pid, &status, 0);
    while (WIFSTOPPED(status)) {
        unsigned long address = address_of(pid);
        bool is_rep = is_rep_string(pid, address);
        ptrace(PTRACE_SINGLESTEP, pid, 0, signal);
        bool delivered = signal != 0; // the step only enters the handler
        waitpid(pid, &status, 0);
        bool faulted = WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP;
        bool killed = WIFSIGNALED(status);
        signal = faulted ? WSTOPSIG(status) : 0;
        if (delivered || faulted || killed)
            continue;
        if (!(is_rep && rep == address))
            add(address);
        rep = WIFSTOPPED(status) && is_rep && address_of(pid) == address ? address : 0;
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].count)
            printf("%lx %lu\n", slots[i].address, slots[i].count);
    return 0;
}
