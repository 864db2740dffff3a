// SPDX-License-Identifier: GPL-2.0-or-later
#include "fold.h"

#include "keys.h"

enum { PAGE_LOG = 12, FIRST_SLOTS = 1 << 12, NUMBER_BYTES = 32 };

struct pm_fold *pm_fold_new(const struct pm_engine *engine, uint32_t counters, uint64_t seed)
{
    struct pm_fold *fold = engine->resize(NULL, sizeof *fold);
    *fold = (struct pm_fold){.engine = engine,
                             .counters = counters,
                             .seed = seed,
                             .salt = pm_mix64(seed),
                             .began_ms = engine->now_ms()};
    fold->sums = engine->resize(NULL, counters * sizeof *fold->sums);
    return fold;
}

// ---------------------------------------------------------------- names

// The text `[anonymous 7]`, as profiles number memory that no file is in.
static uint64_t anonymous_salt(uint32_t number)
{
    static const char before[] = "[anonymous ";
    char text[NUMBER_BYTES], *at = text + sizeof text;
    *--at = '\0';
    *--at = ']';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    for (size_t i = sizeof before - 1; i-- > 0;)
        *--at = before[i];
    return pm_name_salt(at);
}

static uint64_t salt_of(struct pm_fold *fold, uint32_t module)
{
    const struct pm_module *modules = fold->blocks->modules->list.items;
    while (fold->salts.used <= module)
        PM_PUSH(fold->engine, &fold->salts, 0);
    uint64_t *salt = &fold->salts.items[module];
    if (!*salt)
        *salt = modules[module].kind == PM_MODULE_ANONYMOUS ? anonymous_salt(fold->anonymous++)
                                                            : pm_name_salt(modules[module].name);
    return *salt;
}

// What names the code at an offset in a module's file. 0 names none.
static uint64_t key_of(uint64_t salt, uint64_t offset)
{
    uint64_t key = pm_mix64(offset ^ salt);
    return key ? key : 1;
}

static uint32_t counter_of(const struct pm_fold *fold, uint64_t key)
{
    return (uint32_t)((unsigned __int128)pm_mix64(key ^ fold->salt) * fold->counters >> 64);
}

// ---------------------------------------------------------------- where blocks begin

static uint64_t *slot_of(const struct pm_fold *fold, uint64_t key)
{
    size_t mask = fold->start_slots - 1, i = key & mask;
    while (fold->starts[i] && fold->starts[i] != key)
        i = (i + 1) & mask;
    return &fold->starts[i];
}

static bool is_start(const struct pm_fold *fold, uint64_t key)
{
    return *slot_of(fold, key) == key;
}

static void grow_starts(struct pm_fold *fold)
{
    uint64_t *old = fold->starts;
    size_t slots = fold->start_slots;
    fold->start_slots = slots ? 2 * slots : FIRST_SLOTS;
    fold->starts = fold->engine->resize(NULL, fold->start_slots * sizeof *old);
    for (size_t i = 0; i < fold->start_slots; i++)
        fold->starts[i] = 0;
    for (size_t i = 0; i < slots; i++)
        if (old[i])
            *slot_of(fold, old[i]) = old[i];
    if (old)
        fold->engine->release(old);
}

static uint32_t *page(struct pm_fold *fold, uint64_t salt, uint64_t number)
{
    return &fold->changed[pm_mix64(salt ^ number) >> (64 - PM_PAGES_LOG)];
}

static void add_start(struct pm_fold *fold, uint64_t salt, uint64_t offset)
{
    if (2 * (fold->start_count + 1) > fold->start_slots)
        grow_starts(fold);
    uint64_t key = key_of(salt, offset), *slot = slot_of(fold, key);
    if (*slot)
        return;
    *slot = key;
    fold->start_count++;
    *page(fold, salt, offset >> PAGE_LOG) = ++fold->version;
}

// ---------------------------------------------------------------- blocks and their parts

static uint64_t offset_in_file(const struct pm_fold *fold, const struct pm_block *block)
{
    return fold->blocks->modules->list.items[block->module].file_offset + block->offset;
}

static unsigned length_at(const struct pm_fold *fold, const struct pm_block *block, uint32_t i)
{
    return fold->blocks->nibbles.items[block->lengths + i / 2] >> 4 * (i % 2) & 15;
}

static uint32_t bytes_of(const struct pm_fold *fold, const struct pm_block *block)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < block->instructions; i++)
        bytes += length_at(fold, block, i);
    return bytes;
}

void pm_fold_know(struct pm_fold *fold, uint32_t id)
{
    while (fold->known.used <= id)
        PM_PUSH(fold->engine, &fold->known, (struct pm_folded_block){0});
    struct pm_folded_block *known = &fold->known.items[id];
    if (known->bytes)
        return;
    const struct pm_block *block = &fold->blocks->list.items[id];
    known->bytes = bytes_of(fold, block);
    add_start(fold, salt_of(fold, block->module), offset_in_file(fold, block));
}

static void divide(struct pm_fold *fold, uint32_t id)
{
    const struct pm_block *block = &fold->blocks->list.items[id];
    struct pm_folded_block *known = &fold->known.items[id];
    uint64_t salt = salt_of(fold, block->module), at = offset_in_file(fold, block);
    uint32_t first = (uint32_t)fold->parts.used;
    for (uint32_t i = 0; i < block->instructions; i++) {
        uint64_t key = key_of(salt, at);
        if (i == 0 || is_start(fold, key)) {
            struct pm_part part = {i, counter_of(fold, key)};
            PM_PUSH(fold->engine, &fold->parts, part);
        }
        at += length_at(fold, block, i);
    }
    uint32_t count = (uint32_t)fold->parts.used - first;
    if (count == known->count) { // it only ever gets more: they are the same
        fold->parts.used = first;
    } else {
        known->parts = first;
        known->count = count;
    }
    known->version = fold->version;
}

static bool is_up_to_date(struct pm_fold *fold, uint32_t id)
{
    const struct pm_block *block = &fold->blocks->list.items[id];
    const struct pm_folded_block *known = &fold->known.items[id];
    if (!known->count)
        return false;
    if (known->version == fold->version)
        return true;
    uint64_t salt = fold->salts.items[block->module], at = offset_in_file(fold, block);
    uint64_t last = (at + known->bytes - 1) >> PAGE_LOG;
    for (uint64_t number = at >> PAGE_LOG; number <= last; number++)
        if (*page(fold, salt, number) > known->version)
            return false;
    return true;
}

// ---------------------------------------------------------------- an interval

void pm_fold_clear(struct pm_fold *fold)
{
    for (uint32_t i = 0; i < fold->counters; i++)
        fold->sums[i] = 0;
    fold->heavy = 0;
}

static bool is_lighter(const struct pm_heavy *a, const struct pm_heavy *b)
{
    return a->instructions < b->instructions || (a->instructions == b->instructions && a->block > b->block);
}

static void swap(struct pm_heavy *a, struct pm_heavy *b)
{
    struct pm_heavy before = *a;
    *a = *b;
    *b = before;
}

static void sink(struct pm_heavy *heap, uint32_t count, uint32_t at)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!is_lighter(&heap[child], &heap[at]))
            return;
        swap(&heap[child], &heap[at]);
    }
}

static void add_heavy(struct pm_fold *fold, uint32_t block, uint64_t instructions)
{
    struct pm_heavy *heap = fold->heaviest, heavy = {instructions, block};
    if (fold->heavy == PM_HEAVIEST) {
        if (is_lighter(&heap[0], &heavy)) {
            heap[0] = heavy;
            sink(heap, PM_HEAVIEST, 0);
        }
        return;
    }
    uint32_t at = fold->heavy++;
    heap[at] = heavy;
    for (; at && is_lighter(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&heap[at], &heap[(at - 1) / 2]);
}

void pm_fold_rank(struct pm_fold *fold, uint64_t length)
{
    uint64_t told = 0;
    uint32_t count = 0;
    for (uint32_t last = fold->heavy; last-- > 1;) {
        swap(&fold->heaviest[0], &fold->heaviest[last]);
        sink(fold->heaviest, last, 0);
    }
    while (count < fold->heavy && told < length - length / 8)
        told += fold->heaviest[count++].instructions;
    fold->heavy = count;
}

void pm_fold_add(struct pm_fold *fold, uint32_t id, uint32_t from, uint32_t to, uint64_t times)
{
    if (!is_up_to_date(fold, id))
        divide(fold, id);
    const struct pm_folded_block *known = &fold->known.items[id];
    const struct pm_part *part = fold->parts.items + known->parts;
    uint32_t instructions = fold->blocks->list.items[id].instructions;
    for (uint32_t i = 0; i < known->count; i++, part++) {
        uint32_t end = i + 1 < known->count ? part[1].first : instructions;
        uint32_t begin = part->first > from ? part->first : from;
        if (end > to)
            end = to;
        if (begin < end)
            fold->sums[part->counter] += times * (end - begin);
    }
    add_heavy(fold, id, times * (to - from));
}
