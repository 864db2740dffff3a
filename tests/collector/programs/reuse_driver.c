// Feeds addresses from standard input, a line a call, to the core, and prints its counts after each:
//   lines address ...
#include "reuse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct pm_engine engine = {.resize = realloc, .release = free};

int main(void)
{
    static char line[1 << 20];
    static uint64_t addresses[1 << 16];
    struct pm_reuse reuse;
    bool begun = false;
    while (fgets(line, sizeof line, stdin)) {
        char *at = line;
        size_t count = 0;
        uint64_t lines = strtoull(at, &at, 10);
        while (*at == ' ')
            addresses[count++] = strtoull(at, &at, 10);
        if (!begun)
            pm_reuse_begin(&reuse, &engine, lines);
        begun = true;
        pm_reuse_told(&reuse, addresses, count);
        for (size_t i = 0; i < PM_REUSE_BANDS; i++)
            printf("%" PRIu64 " ", reuse.counts[i]);
        printf("\n");
        pm_reuse_forget_counts(&reuse);
    }
    if (begun)
        pm_reuse_release(&reuse);
    return 0;
}
