// SPDX-License-Identifier: GPL-2.0-or-later
// The timing model: a core for each thread of a process, and memories that they share. It is told of
// each block that was executed, with the addresses of its memory accesses and the outcome of its
// branch, and counts what the caches, TLBs and predictors make of it, and the cycles
// (docs/timing-model.md).
#ifndef PHASEMARK_TIMING_MACHINE_H
#define PHASEMARK_TIMING_MACHINE_H

#include "../vector.h"
#include "cache.h"
#include "predictor.h"
#include "uses.h"

// What is counted, in the order in which it is written.
#define PM_EVENT_NAMES(X)                                                                          \
    X(instructions)                                                                                \
    X(cycles)                                                                                      \
    X(l1i_references)                                                                              \
    X(l1i_misses)                                                                                  \
    X(l1d_references)                                                                              \
    X(l1d_misses)                                                                                  \
    X(l2_references)                                                                               \
    X(l2_misses)                                                                                   \
    X(l3_references)                                                                               \
    X(l3_misses)                                                                                   \
    X(itlb_references)                                                                             \
    X(itlb_misses)                                                                                 \
    X(dtlb_references)                                                                             \
    X(dtlb_misses)                                                                                 \
    X(branches)                                                                                    \
    X(branch_mispredictions)                                                                       \
    X(conditional_branches)                                                                        \
    X(conditional_mispredictions)                                                                  \
    X(indirect_branches)                                                                           \
    X(indirect_mispredictions)                                                                     \
    X(returns)                                                                                     \
    X(return_mispredictions)                                                                       \
    X(loads)                                                                                       \
    X(stores)

#define PM_EVENT_FIELD(name) uint64_t name;
#define PM_EVENT_ONE(name) +1

enum { PM_EVENTS = 0 PM_EVENT_NAMES(PM_EVENT_ONE) };

struct pm_events {
    PM_EVENT_NAMES(PM_EVENT_FIELD)
};

extern const char *const pm_event_names[PM_EVENTS];

// Those that follow from others are filled in when a record is written.
void pm_events_complete(struct pm_events *events);

struct pm_machine;
struct pm_timing;

// What one or more threads have for themselves. Empty, and without memory, until it is used.
struct pm_core {
    struct pm_timing *running; // the thread that runs on it
    struct pm_machine *machine;
    bool several; // there are other cores
    uint32_t threads; // how many have it now; the next one gets it as they left it
    uint32_t number;
    bool built;
    bool awake; // its memories are up to date
    struct pm_cache l1i, l1d, own_l2, itlb, dtlb;
    struct pm_cache *l2; // its own, or that of all
    struct pm_predictor predictor;

    uint64_t position;   // instructions so far
    uint64_t fetch_line; // last fetched, plus 1
    uint64_t fetch_page;
    uint64_t event_at;  // position of the last thing that emptied the window
    uint64_t load_at;   // position of the long load that others may overlap with
    uint64_t load_left; // its latency
};

// A thread's part: what happened since its last record, its core, and its return stack.
struct pm_timing {
    struct pm_events events; // cycles in parts of 1/width
    struct pm_core *core;
    struct pm_return_stack stack;
    uint64_t parts; // less than a cycle, left over from the record before
};

// More threads at once share cores: 256 take 43 MB where each has a second level of 512K.
enum { PM_MOST_CORES = 256 };

// A set of cores, by number.
struct pm_holders {
    uint64_t bits[PM_MOST_CORES / 64];
};

struct pm_machine {
    struct pm_core *running; // whose blocks come next
    const struct pm_engine *engine;
    PM_VECTOR(struct pm_core *) cores;
    struct pm_core blank; // what each is at first
    uint32_t built;       // how many were used
    bool private_l2;
    bool has_l3;
    struct pm_cache l2, l3; // of all; the second level unless each core has its own
    // Where the model is off at times: uses of lines, whether it is on, since when, and how many blocks the last
    // level was not told of.
    struct pm_uses uses;
    bool on;
    uint64_t switched, missed;
    uint32_t owned_shift; // of lines that change hands: the longest that cores have for themselves
    // Who alone holds a line that was written, by hash, and which cores have taken a copy since; NULL:
    // there is one core.
    uint64_t *owners;
    struct pm_holders *holders;

    // Cycles, but for width and window (instructions).
    uint64_t width, window, frontend, memory;
    uint64_t l2_latency, l3_latency, itlb_penalty, dtlb_penalty;
};

// Builds the machine from `key=value` lines, as phasemark.simulate.config writes them. Returns
// NULL, or the key that is missing or makes no sense.
const char *pm_machine_build(struct pm_machine *machine, const struct pm_engine *engine,
                             const char *configuration);
void pm_machine_release(struct pm_machine *machine);

// The core of a thread that was created: the first that no thread has, and where there are no more,
// one of those that the fewest have. It is built when the model is first told what the thread does.
struct pm_core *pm_machine_take_core(struct pm_machine *machine);
void pm_machine_leave_core(struct pm_core *core);
void pm_machine_build_core(struct pm_core *core);

// The blocks that come next are of this thread, which has a core.
static inline void pm_machine_run(struct pm_machine *machine, struct pm_timing *timing)
{
    timing->core->running = timing;
    machine->running = timing->core;
}

// The memories are empty, and the cores gone: another process image begins.
void pm_machine_restart(struct pm_machine *machine);

// How a block ends.
enum pm_ending {
    PM_FALLS_THROUGH,
    PM_CONDITIONAL,
    PM_JUMP,
    PM_CALL,
    PM_INDIRECT_JUMP,
    PM_INDIRECT_CALL,
    PM_RETURN,
};

struct pm_access {
    uint32_t size;    // bytes
    uint16_t at;      // which instruction of the block, from 0
    bool store;
};

enum { PM_MOST_ACCESSES = 512 };

// A block as the engine translated it. Its operands, when it has run: the address of each access
// (0: it did not happen), then whether the branch was taken, or its target.
struct pm_timed_block {
    uint64_t address, branch, next; // of the block, its last instruction, what follows it
    uint32_t instructions;
    uint32_t accesses, stores;
    enum pm_ending ending;
    struct pm_access access[];
};

// The block ran. `executed` is 0 where it goes on with an instruction that was counted (REP).
void pm_machine_block(struct pm_machine *machine, const struct pm_timed_block *block,
                      const uint64_t *operands, uint64_t executed);

// The model is on, or off, for the blocks that come next. Where it goes on after it was off in this thread, the
// core's memories get what they would hold had it been on all the time: by the uses that were noted.
void pm_machine_switch(struct pm_machine *machine, bool on);

// A single access, of an instruction that was announced before.
void pm_machine_access(struct pm_machine *machine, uint64_t address, uint32_t size, bool store);

#endif
