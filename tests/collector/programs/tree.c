// A tree of processes: a fork that works, a vfork that executes, an exec that fails, and an exec
// in place of the process itself.
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static void execute(const char *program, const char *argument)
{
    execl(program, program, argument, (char *)0);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        work(strtoul(argv[1], 0, 10));
        return 0;
    }
    work(100);
    if (!fork()) {
        work(200);
        _exit(0);
    }
    wait(0);
    if (!vfork()) {
        execute(argv[0], "300");
        _exit(1);
    }
    wait(0);
    execute("/does/not/exist", "");
    if (errno != ENOENT)
        return 2;
    work(400);
    execute(argv[0], "500");
    return 1;
}
