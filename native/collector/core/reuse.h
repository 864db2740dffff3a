// SPDX-License-Identifier: GPL-2.0-or-later
// How long ago memory was used, whatever the caches: for lines of 64 bytes, how many others were accessed
// since (their stack distance). Only some lines are looked at, chosen by their address, and stand for all
// (SHARDS: Waldspurger et al., FAST 2015). Distances are told to powers of two, for which markers in a list
// do (Kim, Hill, Wood, SIGMETRICS 1991).
#ifndef PHASEMARK_REUSE_H
#define PHASEMARK_REUSE_H

#include "vector.h"

// So many lines are remembered, in powers of two; tests remember fewer.
#ifndef PM_REUSE_LOG
#define PM_REUSE_LOG 13
#endif

enum {
    PM_LINE_SHIFT = 6, // of an address to its line
    PM_REUSE_BANDS = PM_REUSE_LOG + 2,
};

struct pm_reuse_line;

// Lines in the order of last use. Without memory until there is one.
struct pm_recent {
    const struct pm_engine *engine;
    struct pm_reuse_line *lines;
    uint32_t *table; // of lines, by hash
    uint32_t used, room;
    uint32_t newest, oldest;
    uint32_t markers[PM_REUSE_LOG + 1]; // the line with 2^i - 1 others before it

    // Accesses by how many others of the lines looked at were accessed since the last one: none; 2^(i-1) to
    // 2^i - 1; and at the end those of lines that were new, or forgotten.
    uint64_t counts[PM_REUSE_BANDS];
};

// Of one thread.
struct pm_reuse {
    uint64_t others; // one line is looked at, and so many others are not, of each so many
    struct pm_recent data, code;
};

// Whether the line of an address is looked at, one of `lines`, a power of two. All of a line's bits that tell
// neighbours apart count: so of a stretch of memory as many are looked at as there should be.
static inline bool pm_reuse_looks_at(uint64_t address, uint64_t lines)
{
    uint32_t line = (uint32_t)address >> PM_LINE_SHIFT;
    line ^= line >> 12;
    return !((line ^ line >> 6) & (lines - 1));
}

// How it is told that a line of code was executed, which is looked at: among addresses of data, of which none
// is so high.
static inline uint64_t pm_reuse_executed(uint64_t address)
{
    return UINT64_C(1) << 63 | address >> PM_LINE_SHIFT << 32;
}

void pm_reuse_begin(struct pm_reuse *reuse, const struct pm_engine *engine, uint64_t lines);

// Accesses in order, by address; 0: it did not happen. Lines of code as above. Up to seven addresses behind the
// last one are read.
void pm_reuse_told(struct pm_reuse *reuse, const uint64_t *addresses, size_t count);

void pm_reuse_forget_counts(struct pm_reuse *reuse);
void pm_reuse_release(struct pm_reuse *reuse);

#endif
