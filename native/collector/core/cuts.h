// SPDX-License-Identifier: GPL-2.0-or-later
// Where threads' runs are cut into intervals: at given positions, in instructions of the thread.
#ifndef PHASEMARK_CUTS_H
#define PHASEMARK_CUTS_H

#include "families.h"

struct pm_cut {
    uint64_t thread, position;
};

struct pm_cuts {
    struct pm_families families;
    PM_VECTOR(struct pm_cut) list; // by thread and position
};

// Reads lines `thread position`, after those of families. Returns 0, or the number of a line that makes no sense.
size_t pm_cuts_read(struct pm_cuts *cuts, const struct pm_engine *engine, const char *text);

// The thread's first cut after the position; UINT64_MAX: none follows.
uint64_t pm_cuts_next(const struct pm_cuts *cuts, uint64_t thread, uint64_t position);

#endif
