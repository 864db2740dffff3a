// SPDX-License-Identifier: GPL-2.0-or-later
#include "thread.h"

#include "live.h"

// With doubling, a thread's run consists of at most this many intervals.
enum { MOST_INTERVALS = 4096 };

// Any value that stays below zero however many blocks follow before it is looked at.
#define LEFT_WHILE_STRADDLING (INT64_MIN / 2)

// No thread gets so far.
#define ENDLESS ((uint64_t)INT64_MAX)

// ---------------------------------------------------------------- records

// Counters are looked at a cache line at a time: most of a program's blocks do not run in any
// one interval.
enum { LINE = 8 };

static bool line_is_zero(const uint64_t *line)
{
    return !(line[0] | line[1] | line[2] | line[3] | line[4] | line[5] | line[6] | line[7]);
}

static size_t counters_in_use(const struct pm_thread *thread)
{
    return (thread->blocks->list.used + LINE - 1) / LINE * LINE;
}

static void find_executed(struct pm_thread *thread)
{
    thread->executed.used = 0;
    for (size_t line = 0; line < counters_in_use(thread); line += LINE) {
        if (line_is_zero(thread->counts + line))
            continue;
        PM_RESERVE(thread->blocks->engine, &thread->executed, LINE);
        for (size_t id = line; id < line + LINE; id++)
            if (thread->counts[id])
                thread->executed.items[thread->executed.used++] = (uint32_t)id;
    }
}

// A record may only name blocks that the stream already describes.
static void describe_blocks(struct pm_thread *thread)
{
    for (size_t i = 0; i < thread->executed.used; i++)
        pm_blocks_write(thread->blocks, thread->executed.items[i]);
    for (size_t i = 0; i < thread->partials.used; i++)
        pm_blocks_write(thread->blocks, thread->partials.items[i].block);
}

static void write_full_entries(const struct pm_thread *thread)
{
    struct pm_stream *stream = thread->stream;
    uint32_t previous = 0;
    pm_stream_varint(stream, thread->executed.used);
    for (size_t i = 0; i < thread->executed.used; i++) {
        uint32_t id = thread->executed.items[i];
        pm_stream_varint(stream, id - previous);
        pm_stream_varint(stream, thread->counts[id]);
        previous = id;
    }
}

static void write_partial_entries(const struct pm_thread *thread)
{
    struct pm_stream *stream = thread->stream;
    pm_stream_varint(stream, thread->partials.used);
    for (size_t i = 0; i < thread->partials.used; i++) {
        const struct pm_partial *partial = &thread->partials.items[i];
        pm_stream_varint(stream, partial->block);
        pm_stream_varint(stream, partial->from);
        pm_stream_varint(stream, partial->to);
        pm_stream_varint(stream, partial->times);
    }
}

static void write_interval(struct pm_thread *thread, char kind, uint64_t length)
{
    find_executed(thread);
    describe_blocks(thread);
    pm_stream_begin(thread->stream, kind);
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, thread->start);
    pm_stream_varint(thread->stream, length);
    write_full_entries(thread);
    write_partial_entries(thread);
    pm_stream_end(thread->stream);
}

// `A` for `I`, and `Q` for `P`.
static void write_folded(struct pm_thread *thread, char kind, uint64_t length)
{
    find_executed(thread);
    pm_live_write(thread, kind == 'I' ? 'A' : 'Q', length);
}

// The model counts cycles in parts.
static uint64_t parts_of_cycles(const struct pm_thread *thread)
{
    return thread->timing->parts + thread->timing->events.cycles;
}

// What the model counted in the `length` instructions from the interval's start on.
static void write_counters(const struct pm_thread *thread, uint64_t length)
{
    struct pm_events events = thread->timing->events;
    const uint64_t *counts = (const uint64_t *)&events;
    events.instructions = length;
    pm_events_complete(&events);
    events.cycles = parts_of_cycles(thread) / thread->recording->machine->width;
    pm_stream_begin(thread->stream, 'C');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, thread->start);
    pm_stream_varint(thread->stream, length);
    for (size_t i = 0; i < PM_EVENTS; i++)
        pm_stream_varint(thread->stream, counts[i]);
    pm_stream_end(thread->stream);
}

// How long ago memory was used, and how often branches were not foretold, in the `length` instructions from the interval's start on.
static void write_reuse(const struct pm_thread *thread, uint64_t length)
{
    pm_stream_begin(thread->stream, 'R');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, thread->start);
    pm_stream_varint(thread->stream, length);
    pm_stream_varint(thread->stream, thread->surprises);
    pm_stream_varint(thread->stream, PM_REUSE_BANDS);
    for (size_t i = 0; i < PM_REUSE_BANDS; i++)
        pm_stream_varint(thread->stream, thread->reuse.data.counts[i]);
    for (size_t i = 0; i < PM_REUSE_BANDS; i++)
        pm_stream_varint(thread->stream, thread->reuse.code.counts[i]);
    pm_stream_end(thread->stream);
}

static void write_position(const struct pm_thread *thread, uint64_t position)
{
    pm_stream_begin(thread->stream, 'N');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, position);
    pm_stream_end(thread->stream);
}

// The `length` instructions from the interval's start on, as a record of a kind.
static void write_stretch(struct pm_thread *thread, char kind, uint64_t length)
{
    if (thread->recording->lines)
        write_reuse(thread, length);
    if (thread->recording->fold)
        write_folded(thread, kind, length);
    else if (!thread->recording->plan)
        write_interval(thread, kind, length);
    if (thread->measured)
        write_counters(thread, length);
}

// ---------------------------------------------------------------- intervals

static uint32_t length_of(const struct pm_thread *thread, uint32_t block)
{
    return thread->blocks->list.items[block].instructions;
}

static uint64_t executed_so_far(const struct pm_thread *thread)
{
    return thread->interval - (uint64_t)thread->left;
}

static void forget_counts(struct pm_thread *thread)
{
    for (size_t i = 0; i < thread->executed.used; i++)
        thread->counts[thread->executed.items[i]] = 0;
    thread->partials.used = 0;
    if (thread->recording->fold)
        thread->began_ms = pm_live_now(thread);
    pm_reuse_forget_counts(&thread->reuse);
    thread->surprises = 0;
    if (thread->timing) {
        thread->timing->parts = parts_of_cycles(thread) % thread->recording->machine->width;
        thread->timing->events = (struct pm_events){0};
    }
}

// An interval begins with instruction `before` of the block.
static void write_beginning(struct pm_thread *thread, uint32_t block, uint32_t before)
{
    pm_blocks_write(thread->blocks, block);
    if (thread->last_site)
        pm_sites_write(thread->trace.sites, (uint32_t)(thread->last_site - 1));
    pm_stream_begin(thread->stream, 'X');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, thread->start);
    pm_stream_varint(thread->stream, block);
    pm_stream_varint(thread->stream, before);
    pm_stream_varint(thread->stream,
                     thread->clock->instructions + thread->start - thread->clocked);
    pm_stream_varint(thread->stream, thread->last_site);
    pm_stream_varint(thread->stream, thread->last_site ? thread->start - thread->last_event : 0);
    pm_stream_end(thread->stream);
}

// Where the thread is: its time when it got there, and when it could go on or has ended.
static void write_order(struct pm_thread *thread, uint64_t position, uint64_t since, uint64_t until)
{
    if (thread->recording->fold)
        return; // who follows a program has a clock
    pm_stream_begin(thread->stream, 'G');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, position);
    pm_stream_varint(thread->stream, since);
    pm_stream_varint(thread->stream, until - since);
    pm_stream_end(thread->stream);
}

static void follow_cuts(struct pm_thread *thread)
{
    uint64_t next = pm_cuts_next(thread->recording->cuts, thread->number, thread->start);
    thread->interval = (next < ENDLESS ? next : ENDLESS) - thread->start;
}

static void follow_plan(struct pm_thread *thread)
{
    struct pm_stretch next =
        pm_plan_stretch(thread->recording->plan, thread->number, thread->start);
    thread->interval = (next.end < ENDLESS ? next.end : ENDLESS) - thread->start;
    thread->timed = next.timed;
    thread->measured = next.measured;
    if (next.timed)
        pm_machine_build_core(thread->timing->core);
}

// The interval is full: writes it and begins the next one, with instruction `before` of the block.
static void cut(struct pm_thread *thread, uint32_t block, uint32_t before)
{
    const struct pm_recording *recording = thread->recording;
    if (thread->interval)
        write_stretch(thread, 'I', thread->interval);
    forget_counts(thread);
    thread->start += thread->interval;
    if (recording->plan) {
        follow_plan(thread);
        thread->left = (int64_t)thread->interval;
        return;
    }
    pm_thread_order(thread, thread->start + thread->waited);
    if (recording->cuts) {
        write_beginning(thread, block, before);
        follow_cuts(thread);
    } else {
        if (recording->doubling && thread->start / MOST_INTERVALS >= thread->nominal)
            thread->nominal *= 2;
        thread->interval = thread->nominal;
    }
    thread->left = (int64_t)thread->interval;
}

static void add_partial(struct pm_thread *thread, uint32_t block, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < thread->partials.used; i++) {
        struct pm_partial *known = &thread->partials.items[i];
        if (known->block == block && known->from == from && known->to == to) {
            known->times++;
            return;
        }
    }
    struct pm_partial partial = {block, from, to, 1};
    PM_PUSH(thread->blocks->engine, &thread->partials, partial);
}

// Counts instructions [from, to) of a block, all of which fit in the interval.
static void add_run(struct pm_thread *thread, uint32_t block, uint32_t from, uint32_t to)
{
    thread->left -= to - from;
    if (from == 0 && to == length_of(thread, block))
        thread->counts[block]++;
    else if (from < to)
        add_partial(thread, block, from, to);
}

static void add_events(struct pm_thread *thread, const struct pm_event *events, size_t count)
{
    uint64_t full = thread->start + thread->interval;
    if (!count)
        return;
    if (thread->recording->longest)
        pm_trace_add(&thread->trace, events, count, full);
    thread->last_site = events[count - 1].site + 1;
    thread->last_event = full - (uint64_t)events[count - 1].left;
}

void pm_thread_events(struct pm_thread *thread, const struct pm_event *events, size_t count)
{
    // One at the straddler's end is beyond a boundary that has yet to be met.
    if (count && events[count - 1].left == LEFT_WHILE_STRADDLING)
        thread->straddler_site = events[--count].site + 1;
    add_events(thread, events, count);
}

void pm_thread_accesses(struct pm_thread *thread, const uint64_t *addresses, size_t count)
{
    pm_reuse_told(&thread->reuse, addresses, count);
}

// The straddler turned out to have run its first `executed` instructions: shares them out among
// this interval and as many following ones as they reach into.
static void settle(struct pm_thread *thread, uint32_t executed)
{
    uint32_t from = 0;
    thread->straddling = false;
    thread->left = thread->room;
    while (executed - from > (uint64_t)thread->left) {
        uint32_t to = from + (uint32_t)thread->left;
        add_run(thread, thread->straddler, from, to);
        from = to;
        cut(thread, thread->straddler, from);
    }
    add_run(thread, thread->straddler, from, executed);
    if (thread->straddler_site) {
        struct pm_event event = {thread->straddler_site - 1, thread->left};
        thread->straddler_site = 0;
        add_events(thread, &event, 1);
    }
}

void pm_thread_overrun(struct pm_thread *thread, uint32_t block)
{
    uint32_t length = length_of(thread, block);
    thread->counts[block]--;
    if (thread->straddling)
        settle(thread, length_of(thread, thread->straddler));
    else
        thread->left += length;

    if (thread->left == 0)
        cut(thread, block, 0);
    if (length <= (uint64_t)thread->left) {
        add_run(thread, block, 0, length);
        return;
    }
    thread->straddling = true;
    thread->straddler = block;
    thread->room = (uint32_t)thread->left;
    thread->left = LEFT_WHILE_STRADDLING;
}

void pm_thread_pause(struct pm_thread *thread)
{
    if (thread->straddling)
        settle(thread, length_of(thread, thread->straddler));
    uint64_t position = thread->start + executed_so_far(thread);
    uint64_t executed = position - thread->clocked;
    thread->clock->instructions += executed;
    if (executed > thread->clock->longest)
        thread->clock->longest = executed;
    thread->clocked = position;
    thread->stopped = thread->clock->instructions;
}

uint64_t pm_thread_time(const struct pm_thread *thread)
{
    return thread->clocked + thread->waited;
}

void pm_thread_wait_until(struct pm_thread *thread, uint64_t time)
{
    uint64_t since = pm_thread_time(thread);
    uint64_t executed = executed_so_far(thread);
    if (time <= since)
        return;
    thread->waited += time - since;
    if (thread->recording->plan || thread->recording->cuts || time - since <= thread->nominal)
        return;
    if (executed) {
        write_stretch(thread, 'I', executed);
        forget_counts(thread);
        thread->start += executed;
        thread->interval -= executed;
    }
    pm_thread_order(thread, since);
}

void pm_thread_order(struct pm_thread *thread, uint64_t since)
{
    write_order(thread, thread->start, since, thread->start + thread->waited);
}

void pm_thread_fault(struct pm_thread *thread, uint32_t block, uint32_t executed)
{
    if (thread->straddling) {
        settle(thread, executed);
        return;
    }
    thread->counts[block]--;
    thread->left += length_of(thread, block);
    add_run(thread, block, 0, executed);
}

// ---------------------------------------------------------------- life

void pm_thread_begin(struct pm_thread *thread, struct pm_blocks *blocks,
                     struct pm_stream *stream, const struct pm_recording *recording,
                     struct pm_clock *clock, struct pm_birth birth)
{
    *thread = (struct pm_thread){
        .blocks = blocks,
        .stream = stream,
        .recording = recording,
        .clock = clock,
        .serial = birth.serial,
        .number = birth.number,
        .interval = recording->interval,
        .nominal = recording->interval,
        .stopped = clock->instructions,
        .waited = birth.time,
        .timed = recording->machine,
        .measured = recording->machine,
    };
    if (recording->fold)
        thread->began_ms = pm_live_now(thread);
    pm_reuse_begin(&thread->reuse, blocks->engine, recording->lines);
    if (recording->lines)
        thread->branches = pm_branches_new(blocks->engine);
    if (recording->machine) {
        thread->timing = blocks->engine->resize(NULL, sizeof *thread->timing);
        *thread->timing = (struct pm_timing){.core = birth.core};
    }
    if (recording->machine && !recording->plan)
        pm_machine_build_core(birth.core);
    if (recording->plan)
        follow_plan(thread);
    else if (recording->cuts)
        thread->interval = 0; // to see with which block the first one begins
    thread->left = (int64_t)thread->interval;
}

void pm_thread_trace(struct pm_thread *thread, struct pm_sites *sites, struct pm_packer *packer)
{
    thread->trace = (struct pm_trace){.sites = sites,
                                      .stream = thread->stream,
                                      .packer = packer,
                                      .serial = thread->serial,
                                      .longest = thread->recording->longest};
}

void pm_thread_grow(struct pm_thread *thread, size_t capacity)
{
    const struct pm_engine *engine = thread->blocks->engine;
    size_t bytes = capacity * sizeof *thread->counts;
    if (engine->reserve) {
        thread->counts = engine->reserve(bytes);
        thread->capacity = capacity;
        return;
    }
    thread->counts = engine->resize(thread->counts, bytes);
    for (size_t i = thread->capacity; i < capacity; i++)
        thread->counts[i] = 0;
    thread->capacity = capacity;
}

void pm_thread_snapshot(struct pm_thread *thread)
{
    uint64_t position = thread->start + executed_so_far(thread);
    if (position == thread->snapshot)
        return;
    thread->snapshot = position;
    if (thread->recording->longest)
        pm_trace_snapshot(&thread->trace);
    if (thread->recording->plan)
        write_position(thread, position);
    else
        write_stretch(thread, 'P', executed_so_far(thread));
}

uint64_t pm_thread_end(struct pm_thread *thread)
{
    uint64_t tail = executed_so_far(thread);
    if (tail)
        write_stretch(thread, 'I', tail);
    if (thread->recording->longest)
        pm_trace_end(&thread->trace);
    uint64_t total = thread->start + tail;
    if (!thread->recording->plan)
        write_order(thread, total, total + thread->waited, total + thread->waited);
    pm_stream_begin(thread->stream, 'E');
    pm_stream_varint(thread->stream, thread->serial);
    pm_stream_varint(thread->stream, total);
    pm_stream_end(thread->stream);
    return total;
}

void pm_thread_release(struct pm_thread *thread)
{
    const struct pm_engine *engine = thread->blocks->engine;
    PM_RELEASE(engine, &thread->partials);
    PM_RELEASE(engine, &thread->executed);
    pm_reuse_release(&thread->reuse);
    if (thread->branches)
        engine->release(thread->branches);
    if (thread->recording->longest)
        pm_trace_release(&thread->trace);
    if (engine->unreserve)
        engine->unreserve(thread->counts, thread->capacity * sizeof *thread->counts);
    else
        engine->release(thread->counts);
    if (thread->timing) {
        pm_machine_leave_core(thread->timing->core);
        engine->release(thread->timing);
    }
}
