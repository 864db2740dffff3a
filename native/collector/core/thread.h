// SPDX-License-Identifier: GPL-2.0-or-later
// One thread's intervals. The engine's generated code counts a block when it enters it
// (counts[block] += 1, left -= instructions) and calls pm_thread_overrun when `left` went below
// zero; everything else about cutting a run into intervals of exact length happens here.
#ifndef PHASEMARK_THREAD_H
#define PHASEMARK_THREAD_H

#include "blocks.h"
#include "branches.h"
#include "cuts.h"
#include "fold.h"
#include "plan.h"
#include "reuse.h"
#include "timing/machine.h"
#include "trace.h"

// Instructions of all threads of the process, up to date but for the thread that runs.
struct pm_clock {
    uint64_t instructions;
    uint64_t longest; // most that a thread executed in one go
};

// What is recorded of threads.
struct pm_recording {
    uint64_t interval; // its length at the start
    bool doubling;     // the interval length doubles as the run grows
    struct pm_machine *machine; // the timing model, whose counts are written; or NULL
    const struct pm_plan *plan; // only these stretches are timed, and no vectors recorded; or NULL
    const struct pm_cuts *cuts; // intervals end there, whatever their length; or NULL
    struct pm_fold *fold; // intervals are folded into counters, and no vectors recorded; or NULL
    bool events;      // threads are told of events, and know their last one
    uint64_t longest; // and write them, as tokens of so many instructions at most; 0: they do not
    uint64_t lines;   // of memory: one of so many is looked at, a power of two; 0: none, nor branches
};

// Instructions [from, to) of a block, cut off by an interval boundary or a fault.
struct pm_partial {
    uint32_t block, from, to;
    uint64_t times;
};

struct pm_thread {
    struct pm_blocks *blocks;
    struct pm_stream *stream;
    const struct pm_recording *recording;
    struct pm_clock *clock;
    uint32_t serial;
    uint32_t number;   // in the plan, or in the cuts
    uint32_t children; // threads it created

    uint64_t *counts;  // executions in this interval, by block id
    size_t capacity;   // of counts
    uint8_t *branches; // how they went, see branches.h; NULL: nobody asks
    uint64_t history;  // of conditional ones
    uint64_t surprises; // branches of this interval that were not foretold
    uint64_t start;    // of this interval, in instructions of the thread
    uint64_t interval; // length of an interval, or of what lies between plan's or cuts' positions
    uint64_t nominal;  // of an interval that the thread did not wait in
    int64_t left;      // instructions until the interval is full; below zero: see straddler
    PM_VECTOR(struct pm_partial) partials;
    PM_VECTOR(uint32_t) executed; // the blocks with counts, while a record is being written

    // The block that was entered last and is longer than what is left of the interval. It is
    // out of `counts` until it is known how far it ran: a fault may stop it before the boundary.
    bool straddling;
    uint32_t straddler;
    uint32_t room; // instructions of it that still belong to this interval
    uint64_t straddler_site; // of an event at its end, plus one; 0: there was none

    uint64_t snapshot; // position at the last snapshot
    uint64_t began_ms; // where intervals are folded: of the stream, when this one began
    uint64_t clocked;  // how much of the position is in the clock
    uint64_t stopped;  // the clock when it was paused last
    uint64_t waited;   // instructions it could have executed while it waited for others

    uint64_t last_site;    // of the last event, plus one; 0: there was none
    uint64_t last_event;   // the position after it
    struct pm_trace trace; // of all events, if they are recorded

    struct pm_reuse reuse; // of memory, if it is recorded

    struct pm_timing *timing; // NULL: the model is not used
    bool timed;               // it is on
    bool measured;            // and what it counts in this stretch is written
};

// Serials number threads as they are created: which of them the system runs first is chance.
struct pm_birth {
    uint32_t serial;
    uint32_t creator; // its serial plus one; 0: none
    uint32_t nth;     // how many that one had created before
    uint32_t number;  // in the plan, or in the cuts
    uint64_t time;    // the creator's
    struct pm_core *core; // of the timing model; NULL: it is not used
};

void pm_thread_begin(struct pm_thread *thread, struct pm_blocks *blocks,
                     struct pm_stream *stream, const struct pm_recording *recording,
                     struct pm_clock *clock, struct pm_birth birth);

// Has the thread record its events.
void pm_thread_trace(struct pm_thread *thread, struct pm_sites *sites, struct pm_packer *packer);

// Makes room for counters of `capacity` blocks.
void pm_thread_grow(struct pm_thread *thread, size_t capacity);

// Events at the ends of blocks, in order; to be told before any of what follows here.
void pm_thread_events(struct pm_thread *thread, const struct pm_event *events, size_t count);

// Addresses of memory accesses, in order; to be told before, too.
void pm_thread_accesses(struct pm_thread *thread, const uint64_t *addresses, size_t count);

// The block just entered, and already counted, took `left` below zero.
void pm_thread_overrun(struct pm_thread *thread, uint32_t block);

// The thread left generated code with its last block complete.
void pm_thread_pause(struct pm_thread *thread);

// The time of a thread that is paused, as if each had a processor of its own, which executes an
// instruction a tick: what it executed and how long it waited.
uint64_t pm_thread_time(const struct pm_thread *thread);

// The thread, which is paused, cannot go on before a time. If it waits for longer than an interval
// takes, the interval ends where the thread stopped, and another begins.
void pm_thread_wait_until(struct pm_thread *thread, uint64_t time);

// Writes that an interval begins at the thread's position; the thread was there since a time.
void pm_thread_order(struct pm_thread *thread, uint64_t since);

// Only the first `executed` instructions of the block entered last were executed.
void pm_thread_fault(struct pm_thread *thread, uint32_t block, uint32_t executed);

// Writes the interval so far, if the thread ran since the last snapshot. The thread is paused.
void pm_thread_snapshot(struct pm_thread *thread);

// Writes what is left and returns the thread's instructions in all. The thread is paused.
uint64_t pm_thread_end(struct pm_thread *thread);

void pm_thread_release(struct pm_thread *thread);

#endif
