// SPDX-License-Identifier: GPL-2.0-or-later
// Which stretches of which threads are timed: windows [start, end), in instructions of the thread,
// before each of which the model warms up from `warm` on.
#ifndef PHASEMARK_PLAN_H
#define PHASEMARK_PLAN_H

#include "families.h"

struct pm_window {
    uint64_t thread, warm, start, end;
};

struct pm_plan {
    struct pm_families families;
    PM_VECTOR(struct pm_window) windows; // by thread and start; they do not overlap
};

// What goes on from a position to the next boundary.
struct pm_stretch {
    uint64_t end;  // UINT64_MAX: to the thread's end
    bool timed;    // the model is on
    bool measured; // and what it counts is written
};

// Reads lines `thread warm start end`, after those of families. Returns 0, or the number of a line that makes no sense.
size_t pm_plan_read(struct pm_plan *plan, const struct pm_engine *engine, const char *text);

// Whether the model is ever off in a thread that has a window, before its last one ends.
bool pm_plan_has_gaps(const struct pm_plan *plan);

struct pm_stretch pm_plan_stretch(const struct pm_plan *plan, uint64_t thread, uint64_t position);

#endif
