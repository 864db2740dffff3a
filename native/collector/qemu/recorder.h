// SPDX-License-Identifier: GPL-2.0-or-later
// One process of the program: its image, and what each of its threads counts. Threads count in parallel,
// each in memory of its own; whatever else they do is done under one lock.
#ifndef PHASEMARK_QEMU_RECORDER_H
#define PHASEMARK_QEMU_RECORDER_H

#include "../core/collector.h"

// As many threads may live at once. QEMU's numbers of them are reused.
enum { MOST_THREADS = 1 << 20 };

// A recorded block as counting it takes it: its id, and its instructions from bit 32 on.
typedef uint64_t counted;

// A recorded block with what is to be known of it once the next one begins, where events are recorded.
struct passed {
    counted block;
    uint64_t start, branch, after; // its first and last instruction, and what follows it
    uint64_t target;               // of an event that happens only there
    uint32_t site;                 // of the event at its end
    enum { NO_EVENT, EVENT, EVENT_AT_TARGET, EVENT_BACKWARDS } event;
};

enum { EVENTS_AT_ONCE = 512 };

// What a thread's generated code works with, a cache line; and what else is known of the thread.
struct slot {
    uint64_t *counts;
    int64_t left;  // of the interval, in instructions
    int64_t limit; // with less left than this a block is handed to recorder_enter
    counted last;  // the block that was entered last
    counted repeating;      // the repeated instruction that was entered last,
    int64_t repeating_left; // and what was left then: as much is left when it goes on
    int64_t resumed_left;   // what was left when a signal handler returned last
    bool resumed;           // one did, in this interval
    struct pm_thread *thread; // NULL: it has not run yet
    bool live;
    bool in_syscall; // its counters stand still, and belong to whoever has the lock
    bool stopped;    // the same, for good
    bool paused;     // the core's thread is up to date with what was executed before the system call
    int64_t call;          // its system call, and the first arguments
    uint64_t arguments[5];
    const struct passed *before;      // the block entered last, where events are recorded
    const struct passed *interrupted; // the one before a handler of a signal began
    struct pm_event *events;          // that the core's thread has not been told of
    size_t noted;
    struct pm_birth birth;
    counted repeated[4]; // the repeated instructions before
    unsigned next_repeated;
} __attribute__((aligned(64)));

extern struct slot slots[MOST_THREADS];

static inline uint32_t counted_instructions(counted block)
{
    return (uint32_t)(block >> 32);
}

static inline counted counted_block(uint32_t id, uint32_t instructions)
{
    return (uint64_t)instructions << 32 | id;
}

// A block is entered that does not fit in the interval, or the lock's owner asked for something.
void recorder_enter(struct slot *slot, counted block);

static inline void recorder_count(struct slot *slot, counted block)
{
    int64_t left = slot->left - (int64_t)(block >> 32);
    if (__builtin_expect(left < __atomic_load_n(&slot->limit, __ATOMIC_RELAXED), 0)) {
        recorder_enter(slot, block);
        return;
    }
    slot->left = left;
    slot->counts[(uint32_t)block]++;
    slot->last = block;
}

// The core's thread is told of the events that were noted.
void recorder_tell(struct slot *slot);

static inline bool recorder_happened(const struct passed *before, uint64_t next)
{
    return before->event == EVENT || (before->event == EVENT_AT_TARGET && next == before->target)
           || (before->event == EVENT_BACKWARDS && next <= before->branch);
}

// A block is about to be counted, and the one before is known to have ended.
static inline void recorder_follow(struct slot *slot, const struct passed *now)
{
    const struct passed *before = slot->before;
    slot->before = now;
    if (!before || !before->event)
        return;
    if (!recorder_happened(before, now->start)) {
        if (now->start != before->after)
            slot->interrupted = before;
        return;
    }
    slot->events[slot->noted++] = (struct pm_event){before->site, slot->left};
    if (slot->noted == EVENTS_AT_ONCE)
        recorder_tell(slot);
}

// Begins the first image. False: its file cannot be created, with the reason in output_error(), or the cuts
// cannot be read.
bool recorder_begin(void);

void recorder_lock(void);
void recorder_unlock(void);

// The collector; under the lock.
struct pm_collector *recorder_collector(void);

// The slot of the thread that calls, as far as it is known.
extern __thread struct slot *recorder_current;

void recorder_thread_created(unsigned vcpu);
void recorder_thread_ended(unsigned vcpu);

// A system call, between which and its return a thread's counters stand still; it may wait there for others.
void recorder_leave(struct slot *slot);
void recorder_return(struct slot *slot);

// A handler of a signal has returned.
void recorder_resume(struct slot *slot);

// Of the block entered last only the first instructions were executed.
void recorder_undo(struct slot *slot, uint32_t executed);

// The same: all but its last instruction, a system call that did not happen.
void recorder_undo_last(struct slot *slot);

// Re-executed on its own: an instruction of the block entered last, which ended before it. False: it is none.
bool recorder_undo_at(struct slot *slot, uint64_t address);

// Under the lock. Brings the file up to date with threads that stand still, and asks the others to do so.
void recorder_snapshot(void);

// The process is about to become another program: brings the file up to date.
void recorder_before_exec(void);

// Under the lock. Asks all threads to stop for good; true once they have. `but`: one that need not.
bool recorder_stop(const struct slot *but);

// Under the lock. The threads have stopped: writes their ends and that of the image.
void recorder_end(void);

// The image is recorded no more.
bool recorder_ended(void);

#endif
