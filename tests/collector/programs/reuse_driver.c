// Feeds addresses from standard input, a line a call, to the core, and prints its counts of data and of code after
// each; an address that begins with c is of code:
//   lines address ...
#include "reuse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct pm_engine engine = {.resize = realloc, .release = free};

// An address of code as the engine tells it: 0 where its line is not looked at.
static uint64_t code(char **at, uint64_t lines)
{
    uint64_t address = strtoull(*at + 2, at, 10);
    return pm_reuse_looks_at(address, lines) ? pm_reuse_executed(address) : 0;
}

int main(void)
{
    static char line[1 << 20];
    static uint64_t addresses[(1 << 16) + 8];
    struct pm_reuse reuse;
    bool begun = false;
    while (fgets(line, sizeof line, stdin)) {
        char *at = line;
        size_t count = 0;
        uint64_t lines = strtoull(at, &at, 10);
        while (*at == ' ')
            addresses[count++] = at[1] == 'c' ? code(&at, lines) : strtoull(at, &at, 10);
        if (!begun)
            pm_reuse_begin(&reuse, &engine, lines);
        begun = true;
        pm_reuse_told(&reuse, addresses, count);
        for (size_t i = 0; i < PM_REUSE_BANDS; i++)
            printf("%" PRIu64 " ", reuse.data.counts[i]);
        for (size_t i = 0; i < PM_REUSE_BANDS; i++)
            printf("%" PRIu64 " ", reuse.code.counts[i]);
        printf("\n");
        pm_reuse_forget_counts(&reuse);
    }
    if (begun)
        pm_reuse_release(&reuse);
    return 0;
}
