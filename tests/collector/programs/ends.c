// Ends as its argument says, having worked.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "return";
    work(1000);
    if (!strcmp(how, "return"))
        return 7;
    if (!strcmp(how, "exit"))
        exit(8);
    if (!strcmp(how, "_exit"))
        _exit(9);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "SIGSEGV"))
        return *(volatile int *)0;
    if (!strcmp(how, "forever"))
        for (;;)
            work(1000);
    raise(atoi(how));
    return 5;
}
