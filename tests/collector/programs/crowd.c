// So many processes at a time, as a build has: each works a little and waits. Told to end, the first one
// ends the others, waits for them, and ends itself, as make does.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static void end(int number)
{
    (void)number;
}

int main(int argc, char **argv)
{
    long processes = argc > 1 ? strtol(argv[1], 0, 10) : 130;
    pid_t *children = malloc((size_t)processes * sizeof *children);
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigprocmask(SIG_BLOCK, &ending, &before);
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, 0);
    for (long i = 0; i < processes; ++i)
        if (!(children[i] = fork())) {
            signal(SIGTERM, SIG_DFL);
            work(100);
            sigsuspend(&before);
            _exit(1);
        }
    sigsuspend(&before);
    for (long i = 0; i < processes; ++i)
        kill(children[i], SIGTERM);
    while (wait(0) > 0)
        ;
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &ending, 0);
    raise(SIGTERM);
    return 1;
}
