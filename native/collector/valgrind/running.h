// SPDX-License-Identifier: GPL-2.0-or-later
// What generated code keeps while a thread runs. It lives in the thread's first shadow register
// area, which generated code reaches relative to the guest state pointer: shorter code than
// globals, and no work when another thread is scheduled. The area is loaded whenever a thread
// enters generated code and saved whenever it leaves, since Valgrind's signal frames would
// otherwise bring back old values.
#ifndef PHASEMARK_RUNNING_H
#define PHASEMARK_RUNNING_H

#include "pub_tool_basics.h"

struct running {
    ULong *counts; // the thread's counters
    Long left;     // instructions until its interval is full
    ULong entered; // id + 1 of the block being executed; 0 once it is known to be complete
    ULong timed;   // whether the timing model is on
    ULong cursor;  // where the next event goes
    ULong addresses; // and the address of the next access
    UChar *branches; // how the thread's went, see core/branches.h
    ULong history;   // of conditional ones
    ULong surprises; // those that were not foretold since the core's thread was told
};

enum {
    RUNNING_SHADOW = 1,
    RUNNING_OFFSET = 16, // of struct running in the shadow area
    // The address of the REP instruction that is in the middle of its iterations, or 0. Not part
    // of struct running: a signal frame saving and restoring it is just what is wanted.
    REPEATING_OFFSET = RUNNING_OFFSET + sizeof(struct running),
};

struct running running_load(ThreadId tid);
void running_store(ThreadId tid, struct running running);
void running_forget_repeating(ThreadId tid);

#endif
