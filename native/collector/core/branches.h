// SPDX-License-Identifier: GPL-2.0-or-later
// How well branches can be foretold, whatever the predictor: of conditional ones by two-bit counters (from 2 on:
// taken; at first 0), one for each branch and way that the thread's last 12 conditional branches went, as far as
// 2^16 keep them apart; of jumps and calls by address by where the branch went the last time. Returns are not
// asked about. Engines' generated code does it all; the core keeps what it needs for each thread.
#ifndef PHASEMARK_BRANCHES_H
#define PHASEMARK_BRANCHES_H

#include "engine.h"

enum {
    PM_DIRECTIONS_LOG = 16, // counters, a byte each
    PM_HISTORY = 12,        // outcomes, the last one in bit 0
    PM_TARGETS_LOG = 11,    // targets, a word each, behind the counters
    PM_BRANCH_BYTES = (1 << PM_DIRECTIONS_LOG) + (1 << PM_TARGETS_LOG) * 8,
};

// Counters are kept doubled, so that with an outcome they are the place of what comes of it: the next one, again
// doubled, in the lowest byte, and above it whether that outcome was a surprise.
#define PM_OUTCOMES {0x000, 0x102, 0x000, 0x104, 0x102, 0x006, 0x104, 0x006}

// Of a thread: counters, then targets; all 0.
static inline uint8_t *pm_branches_new(const struct pm_engine *engine)
{
    uint64_t *words = engine->resize(NULL, PM_BRANCH_BYTES);
    for (unsigned i = 0; i < PM_BRANCH_BYTES / sizeof *words; i++)
        words[i] = 0;
    return (uint8_t *)words;
}

// Where a branch has its place; the counter's is that exclusive or the history.
static inline uint64_t pm_branch_place(uint64_t address, unsigned log)
{
    return address * UINT64_C(0x9E3779B97F4A7C15) >> (64 - log);
}

#endif
