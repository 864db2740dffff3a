// SPDX-License-Identifier: GPL-2.0-or-later
// How threads are numbered in a file that says something of each: those that thread 0 created first, in their
// order, then those of thread 1, and so on. Numbers by birth (serials) are chance where several create threads.
#ifndef PHASEMARK_FAMILIES_H
#define PHASEMARK_FAMILIES_H

#include "vector.h"

// No thread that the file knows.
#define PM_STRANGER UINT32_MAX

struct pm_family {
    uint64_t creator, first, count; // the numbers first ... first + count - 1 are of those it created
};

struct pm_families {
    PM_VECTOR(struct pm_family) list; // by creator; none: numbers are serials
};

// Reads lines `family creator first count` at the beginning of a text. Returns where the other lines begin, or
// where one makes no sense; `lines` is counted up.
const char *pm_families_read(struct pm_families *families, const struct pm_engine *engine,
                             const char *text, size_t *lines);

// The number of the n-th thread, from 0, that thread `creator` created.
uint32_t pm_families_number(const struct pm_families *families, uint32_t creator, uint32_t nth,
                            uint32_t serial);

#endif
