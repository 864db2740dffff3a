// The oracle: runs a program one instruction at a time and prints its events, a line each: how many
// instructions were executed up to and including the branch, the kind, and the addresses of the
// branch and of where it led. The last line has the number of instructions alone.
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum branch { OTHER, REP_STRING, DIRECT, INDIRECT, CALL, RETURN };

static unsigned long address_of(pid_t pid)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, pid, 0, &registers))
        exit(2);
    return registers.rip;
}

static enum branch decode(pid_t pid, unsigned long address)
{
    bool rep = false;
    for (;; address++) {
        unsigned long word = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, address, 0);
        unsigned byte = word & 0xff, second = word >> 8 & 0xff;
        if (byte == 0xf2 || byte == 0xf3) {
            rep = true;
            continue;
        }
        if (byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x3e || (byte & 0xf0) == 0x40)
            continue;
        if (rep && ((byte >= 0xa4 && byte <= 0xa7) || (byte >= 0xaa && byte <= 0xaf)))
            return REP_STRING;
        if ((byte & 0xf0) == 0x70 || (byte & 0xfc) == 0xe0 || byte == 0xe9 || byte == 0xeb
            || (byte == 0x0f && (second & 0xf0) == 0x80))
            return DIRECT;
        if (byte == 0xff && (second >> 3 & 7) == 4)
            return INDIRECT;
        if (byte == 0xe8 || (byte == 0xff && (second >> 3 & 7) == 2))
            return CALL;
        return byte == 0xc3 || byte == 0xc2 ? RETURN : OTHER;
    }
}

// Whether a branch that led to `target` is an event, and its name.
static const char *event(enum branch branch, unsigned long address, unsigned long target, bool taken)
{
    switch (branch) {
    case DIRECT: return taken && target <= address ? "loop" : NULL;
    case INDIRECT: return target <= address ? "indirect" : NULL;
    case CALL: return "call";
    case RETURN: return "return";
    default: return NULL;
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
    unsigned long rep = 0, instructions = 0;
    waitpid(pid, &status, 0);
    while (WIFSTOPPED(status)) {
        unsigned long address = address_of(pid);
        enum branch branch = decode(pid, address);
        ptrace(PTRACE_SINGLESTEP, pid, 0, signal);
        bool delivered = signal != 0; // the step only enters the handler
        waitpid(pid, &status, 0);
        bool faulted = WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP;
        signal = faulted ? WSTOPSIG(status) : 0;
        if (delivered || faulted || WIFSIGNALED(status))
            continue;
        unsigned long next = WIFSTOPPED(status) ? address_of(pid) : address;
        if (branch == REP_STRING) {
            instructions += rep != address;
            rep = next == address ? address : 0;
            continue;
        }
        rep = 0;
        instructions++;
        // A direct branch that is not taken goes on behind itself, in at most 15 bytes.
        const char *name = event(branch, address, next, next <= address || next > address + 15);
        if (name)
            printf("%lu %s %lx %lx\n", instructions, name, address, next);
    }
    printf("%lu\n", instructions);
    return 0;
}
