// SPDX-License-Identifier: GPL-2.0-or-later
#include "collector.h"

enum { FIRST_COUNTERS = 1 << 12, RESERVED_COUNTERS = 1 << 26, SNAPSHOT_MS = 1000 };

static void open_stream(struct pm_collector *collector)
{
    struct pm_fold *fold = collector->recording.fold;
    if (fold)
        fold->began_ms = collector->engine->now_ms();
    pm_stream_open(&collector->stream, collector->engine, fold ? PM_LIVE_STREAM : PM_RAW_STREAM);
}

void pm_collector_begin(struct pm_collector *collector, const struct pm_engine *engine,
                        const struct pm_recording *recording)
{
    *collector = (struct pm_collector){.engine = engine,
                                       .recording = *recording,
                                       .counters = engine->reserve ? RESERVED_COUNTERS
                                                                   : FIRST_COUNTERS,
                                       .flushed_ms = engine->now_ms()};
    collector->modules.engine = collector->blocks.engine = engine;
    collector->modules.stream = &collector->stream;
    collector->blocks.modules = collector->sites.modules = &collector->modules;
    collector->sites.engine = engine;
    if (recording->longest)
        collector->packer = pm_packer_new(engine);
    if (recording->fold)
        recording->fold->blocks = &collector->blocks;
    open_stream(collector);
}

void pm_collector_counters(struct pm_collector *collector)
{
    if (!collector->recording.machine)
        return;
    pm_stream_begin(&collector->stream, 'K');
    for (size_t i = 0; i < PM_EVENTS; i++)
        pm_stream_name(&collector->stream, pm_event_names[i]);
    pm_stream_end(&collector->stream);
}

// The number of a thread in what is said of threads beforehand.
static uint32_t number_of(const struct pm_recording *recording, const struct pm_thread *creator,
                          uint32_t nth, uint32_t serial)
{
    if (!creator)
        return 0;
    if (recording->plan)
        return pm_families_number(&recording->plan->families, creator->number, nth, serial);
    if (recording->cuts)
        return pm_families_number(&recording->cuts->families, creator->number, nth, serial);
    return serial;
}

struct pm_birth pm_collector_birth(struct pm_collector *collector, struct pm_thread *creator)
{
    struct pm_machine *machine = collector->recording.machine;
    uint32_t serial = collector->next_serial++, nth = creator ? creator->children++ : 0;
    return (struct pm_birth){.serial = serial,
                             .creator = creator ? creator->serial + 1 : 0,
                             .nth = nth,
                             .number = number_of(&collector->recording, creator, nth, serial),
                             .time = creator ? pm_thread_time(creator) : 0,
                             .core = machine ? pm_machine_take_core(machine) : NULL};
}

void pm_collector_stillbirth(struct pm_birth birth)
{
    if (birth.core)
        pm_machine_leave_core(birth.core);
}

struct pm_thread *pm_collector_thread(struct pm_collector *collector, struct pm_birth birth,
                                      uint64_t system_id)
{
    struct pm_thread *thread = collector->engine->resize(NULL, sizeof *thread);
    pm_thread_begin(thread, &collector->blocks, &collector->stream, &collector->recording,
                    &collector->clock, birth);
    pm_thread_grow(thread, collector->counters);
    pm_thread_trace(thread, &collector->sites, collector->packer);
    PM_PUSH(collector->engine, &collector->threads, thread);

    pm_stream_begin(&collector->stream, 'T');
    pm_stream_varint(&collector->stream, thread->serial);
    pm_stream_varint(&collector->stream, birth.creator);
    pm_stream_varint(&collector->stream, system_id);
    pm_stream_varint(&collector->stream, birth.nth);
    pm_stream_end(&collector->stream);
    if (!collector->recording.plan && !collector->recording.cuts)
        pm_thread_order(thread, birth.time);
    return thread;
}

// That two words share a place hardly matters.
static struct pm_word *place_of(struct pm_collector *collector, uint64_t word)
{
    return &collector->words[(word >> 2) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PM_WORDS_LOG)];
}

void pm_collector_waits(struct pm_collector *collector, struct pm_thread *thread, uint64_t word)
{
    struct pm_word *place = place_of(collector, word);
    if (pm_thread_time(thread) > place->arrived)
        place->arrived = pm_thread_time(thread);
}

void pm_collector_wakes(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                        bool all)
{
    struct pm_word *place = place_of(collector, word);
    if (all) {
        pm_thread_wait_until(thread, place->arrived);
        place->arrived = 0;
    }
    place->woken = pm_thread_time(thread);
    place->clock = collector->clock.instructions;
}

void pm_collector_woken(struct pm_collector *collector, struct pm_thread *thread, uint64_t word)
{
    const struct pm_word *place = place_of(collector, word);
    if (place->clock <= thread->stopped)
        place = &collector->end;
    if (place->clock > thread->stopped)
        pm_thread_wait_until(thread, place->woken);
}

void pm_collector_waited(struct pm_collector *collector, struct pm_thread *thread)
{
    uint64_t gap = collector->clock.instructions - thread->stopped;
    uint64_t busy = 0;
    for (size_t i = 0; i < collector->threads.used; i++)
        busy += collector->threads.items[i]->stopped > thread->stopped;
    if (busy && gap > thread->nominal + busy * collector->clock.longest)
        pm_thread_wait_until(thread, pm_thread_time(thread) + gap / busy);
}

static void forget_thread(struct pm_collector *collector, const struct pm_thread *thread)
{
    size_t i = 0;
    while (collector->threads.items[i] != thread)
        i++;
    collector->threads.items[i] = collector->threads.items[--collector->threads.used];
}

void pm_collector_thread_end(struct pm_collector *collector, struct pm_thread *thread)
{
    forget_thread(collector, thread);
    collector->end.woken = pm_thread_time(thread);
    collector->end.clock = collector->clock.instructions;
    collector->instructions += pm_thread_end(thread);
    pm_thread_release(thread);
    collector->engine->release(thread);
}

static void grow_counters(struct pm_collector *collector)
{
    collector->counters *= 2;
    for (size_t i = 0; i < collector->threads.used; i++)
        pm_thread_grow(collector->threads.items[i], collector->counters);
}

uint32_t pm_collector_block(struct pm_collector *collector, uint32_t module, uint64_t offset,
                            const uint8_t *lengths, uint32_t instructions)
{
    uint32_t id = pm_blocks_intern(&collector->blocks, module, offset, lengths, instructions);
    if (collector->blocks.list.used > collector->counters)
        grow_counters(collector);
    return id;
}

uint32_t pm_collector_site(struct pm_collector *collector, struct pm_site site)
{
    return pm_sites_intern(&collector->sites, site);
}

int64_t pm_collector_index_at(const struct pm_collector *collector, uint32_t block,
                              uint64_t address)
{
    const struct pm_block *known = &collector->blocks.list.items[block];
    uint64_t start = collector->modules.list.items[known->module].start + known->offset;
    return pm_blocks_index_at(&collector->blocks, block, address - start);
}

void pm_collector_snapshot(struct pm_collector *collector)
{
    for (size_t i = 0; i < collector->threads.used; i++)
        pm_thread_snapshot(collector->threads.items[i]);
    pm_stream_flush(&collector->stream);
}

void pm_collector_tick(struct pm_collector *collector)
{
    uint64_t now = collector->engine->now_ms();
    if (now - collector->flushed_ms < SNAPSHOT_MS)
        return;
    collector->flushed_ms = now;
    pm_collector_snapshot(collector);
}

void pm_collector_warn(struct pm_collector *collector, const char *sentence)
{
    pm_stream_begin(&collector->stream, 'W');
    pm_stream_string(&collector->stream, sentence);
    pm_stream_end(&collector->stream);
}

void pm_collector_end(struct pm_collector *collector)
{
    while (collector->threads.used)
        pm_collector_thread_end(collector, collector->threads.items[0]);
    pm_stream_begin(&collector->stream, 'S');
    pm_stream_varint(&collector->stream, collector->instructions);
    pm_stream_end(&collector->stream);
    pm_stream_flush(&collector->stream);
}

void pm_collector_fork(struct pm_collector *collector)
{
    for (size_t i = 0; i < collector->threads.used; i++) {
        pm_thread_release(collector->threads.items[i]);
        collector->engine->release(collector->threads.items[i]);
    }
    collector->threads.used = 0;
    if (collector->recording.machine)
        pm_machine_restart(collector->recording.machine);
    collector->next_serial = 0;
    collector->instructions = 0;
    collector->clock = (struct pm_clock){0};
    collector->end = (struct pm_word){0};
    for (size_t i = 0; i < sizeof collector->words / sizeof *collector->words; i++)
        collector->words[i] = (struct pm_word){0};
    collector->flushed_ms = collector->engine->now_ms();
    pm_modules_rewrite(&collector->modules);
    pm_blocks_rewrite(&collector->blocks);
    pm_sites_rewrite(&collector->sites);
    open_stream(collector);
}
