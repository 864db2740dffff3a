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

// Of one thread. Without memory until a line is looked at.
struct pm_reuse {
    const struct pm_engine *engine;
    uint64_t others; // one line is looked at, and so many others are not, of each so many
    struct pm_reuse_line *lines;
    uint32_t *table; // of lines, by hash
    uint32_t used, room;
    uint32_t newest, oldest;
    uint32_t markers[PM_REUSE_LOG + 1]; // the line with 2^i - 1 others before it

    // Accesses by how many others of the lines looked at were accessed since the last one: none; 2^(i-1) to
    // 2^i - 1; and at the end those of lines that were new, or forgotten.
    uint64_t counts[PM_REUSE_BANDS];
};

void pm_reuse_begin(struct pm_reuse *reuse, const struct pm_engine *engine, uint64_t of);

// Accesses in order, by address; 0: it did not happen.
void pm_reuse_told(struct pm_reuse *reuse, const uint64_t *addresses, size_t count);

void pm_reuse_forget_counts(struct pm_reuse *reuse);
void pm_reuse_release(struct pm_reuse *reuse);

#endif
