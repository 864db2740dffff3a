// SPDX-License-Identifier: GPL-2.0-or-later
// One process image being collected: its stream, code and threads. An engine describes the
// image in the header, announces threads, modules and blocks as they appear, lets its generated
// code count into the running thread, and ends the image; a fork begins a new collector.
#ifndef PHASEMARK_COLLECTOR_H
#define PHASEMARK_COLLECTOR_H

#include "thread.h"

// Words of memory that threads wait for are told apart by so many bits.
enum { PM_WORDS_LOG = 8 };

struct pm_word {
    uint64_t arrived; // the latest time at which a thread began to wait for it, since all were woken
    uint64_t woken;   // the time of the thread that woke last
    uint64_t clock;   // and the collector's clock then
};

struct pm_collector {
    const struct pm_engine *engine;
    struct pm_recording recording;
    struct pm_stream stream;
    struct pm_modules modules;
    struct pm_blocks blocks;
    struct pm_sites sites;
    struct pm_packer *packer; // if events are recorded
    PM_VECTOR(struct pm_thread *) threads; // the live ones
    uint32_t next_serial;
    uint64_t instructions; // of the threads that ended
    struct pm_clock clock;
    struct pm_word words[1 << PM_WORDS_LOG];
    struct pm_word end; // what waits for a thread's end is woken by it
    size_t counters;       // how many blocks the threads' counters have room for
    uint64_t flushed_ms;   // when the file was last brought up to date
};

// The engine writes the header record into collector->stream next.
void pm_collector_begin(struct pm_collector *collector, const struct pm_engine *engine,
                        const struct pm_recording *recording);

// Writes the names of the model's counters, if it runs; follows the header.
void pm_collector_counters(struct pm_collector *collector);

// A thread was created, by `creator` or, the first one, by nobody (NULL); and it begins to run.
struct pm_birth pm_collector_birth(struct pm_collector *collector, struct pm_thread *creator);
// One that was created and will never run: none could be made, or its process ended.
void pm_collector_stillbirth(struct pm_birth birth);
struct pm_thread *pm_collector_thread(struct pm_collector *collector, struct pm_birth birth,
                                      uint64_t system_id);
void pm_collector_thread_end(struct pm_collector *collector, struct pm_thread *thread);

// A thread, which is paused, is about to wait for a word of memory (a futex), to wake one or all
// that wait for it, or went on after it had waited for it. Who wakes all meets them, as at a
// barrier: the last of them to come keeps the others.
void pm_collector_waits(struct pm_collector *collector, struct pm_thread *thread, uint64_t word);
void pm_collector_wakes(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                        bool all);
void pm_collector_woken(struct pm_collector *collector, struct pm_thread *thread, uint64_t word);

// A thread, which is paused, went on after another system call. It waited as far as others executed
// more meanwhile than they do while it merely waits for its turn.
void pm_collector_waited(struct pm_collector *collector, struct pm_thread *thread);

// The id of a recorded block; may move the counters of every thread unless they are reserved.
uint32_t pm_collector_block(struct pm_collector *collector, uint32_t module, uint64_t offset,
                            const uint8_t *lengths, uint32_t instructions);

// The id of a site of events.
uint32_t pm_collector_site(struct pm_collector *collector, struct pm_site site);

// How many instructions of a block lie before the one at an address, or -1.
int64_t pm_collector_index_at(const struct pm_collector *collector, uint32_t block,
                              uint64_t address);

// Brings the file up to date; the threads are paused. The second does so once a second.
void pm_collector_snapshot(struct pm_collector *collector);
void pm_collector_tick(struct pm_collector *collector);

void pm_collector_warn(struct pm_collector *collector, const char *sentence);

// Ends all threads and the process.
void pm_collector_end(struct pm_collector *collector);

// The child of a fork begins a stream of its own: no threads yet, nothing of its parent's
// unwritten data, but the same code, which generated code already counts by id.
void pm_collector_fork(struct pm_collector *collector);

#endif
