// SPDX-License-Identifier: GPL-2.0-or-later
// Stops, and executes the program once it goes on: meanwhile whoever started it attaches a profiler. All that
// the program sees is as it was given: no shell is involved, no variable set, no file opened.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "phasemark: no program to start\n");
        return 2;
    }
    raise(SIGSTOP);
    execvp(argv[1], argv + 1);
    fprintf(stderr, "phasemark: cannot start %s: %s\n", argv[1], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
