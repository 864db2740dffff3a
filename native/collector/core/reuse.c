// SPDX-License-Identifier: GPL-2.0-or-later
#include "reuse.h"

#define NONE UINT32_MAX

enum { MOST_LINES = 1 << PM_REUSE_LOG, FIRST_LINES = 1 << 7 };

struct pm_reuse_line {
    uint64_t line;
    uint32_t newer, older; // in the order of last use
    uint32_t next;         // of equal hash
    uint32_t band;         // of its place
};

// ---------------------------------------------------------------- which lines

// Four addresses at a time.
typedef uint32_t four __attribute__((vector_size(16)));
typedef long long two __attribute__((vector_size(16)));

static uint32_t hash(const struct pm_reuse *reuse, uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (2 * reuse->room - 1);
}

// ---------------------------------------------------------------- the table

static void enter(struct pm_reuse *reuse, uint32_t at)
{
    uint32_t *place = &reuse->table[hash(reuse, reuse->lines[at].line)];
    reuse->lines[at].next = *place;
    *place = at;
}

static void take_out(struct pm_reuse *reuse, uint32_t at)
{
    uint32_t *place = &reuse->table[hash(reuse, reuse->lines[at].line)];
    while (*place != at)
        place = &reuse->lines[*place].next;
    *place = reuse->lines[at].next;
}

static uint32_t find(const struct pm_reuse *reuse, uint64_t line)
{
    uint32_t at = reuse->table[hash(reuse, line)];
    while (at != NONE && reuse->lines[at].line != line)
        at = reuse->lines[at].next;
    return at;
}

static void grow(struct pm_reuse *reuse)
{
    const struct pm_engine *engine = reuse->engine;
    reuse->room = reuse->room ? 2 * reuse->room : FIRST_LINES;
    reuse->lines = engine->resize(reuse->lines, reuse->room * sizeof *reuse->lines);
    reuse->table = engine->resize(reuse->table, 2 * reuse->room * sizeof *reuse->table);
    for (uint32_t i = 0; i < 2 * reuse->room; i++)
        reuse->table[i] = NONE;
    for (uint32_t at = 0; at < reuse->used; at++)
        enter(reuse, at);
}

// ---------------------------------------------------------------- the order

// Those in bands before `band` become older by one: the oldest of each band goes to the next one.
static void age(struct pm_reuse *reuse, uint32_t band)
{
    for (uint32_t i = 0; i < band; i++) {
        struct pm_reuse_line *last = &reuse->lines[reuse->markers[i]];
        last->band = i + 1;
        reuse->markers[i] = last->newer;
    }
}

static void unlink(struct pm_reuse *reuse, uint32_t at)
{
    const struct pm_reuse_line *line = &reuse->lines[at];
    reuse->lines[line->newer].older = line->older;
    if (line->older == NONE)
        reuse->oldest = line->newer;
    else
        reuse->lines[line->older].newer = line->newer;
}

static void put_first(struct pm_reuse *reuse, uint32_t at)
{
    struct pm_reuse_line *line = &reuse->lines[at];
    line->band = 0;
    line->newer = NONE;
    line->older = reuse->newest;
    if (reuse->newest != NONE)
        reuse->lines[reuse->newest].newer = at;
    reuse->newest = reuse->markers[0] = at;
}

// One that is remembered, and is not the newest, becomes that.
static void renew(struct pm_reuse *reuse, uint32_t at)
{
    uint32_t band = reuse->lines[at].band;
    if (reuse->markers[band] == at)
        reuse->markers[band] = reuse->lines[at].newer;
    age(reuse, band);
    unlink(reuse, at);
    put_first(reuse, at);
}

static void add_first(struct pm_reuse *reuse, uint32_t at)
{
    uint32_t bands = 0;
    while (reuse->used >> bands)
        bands++;
    age(reuse, bands);
    put_first(reuse, at);
    reuse->used++;
    if (reuse->used == 1)
        reuse->oldest = at;
    if (reuse->used >> bands)
        reuse->markers[bands] = reuse->oldest;
}

// ---------------------------------------------------------------- accesses

static void remember(struct pm_reuse *reuse, uint64_t line)
{
    if (reuse->used == MOST_LINES) {
        uint32_t at = reuse->oldest;
        take_out(reuse, at);
        reuse->lines[at].line = line;
        enter(reuse, at);
        renew(reuse, at);
        return;
    }
    if (reuse->used == reuse->room)
        grow(reuse);
    reuse->lines[reuse->used].line = line;
    enter(reuse, reuse->used);
    add_first(reuse, reuse->used);
}

static __attribute__((noinline)) void accessed(struct pm_reuse *reuse, uint64_t line)
{
    uint32_t at = NONE;
    if (reuse->used && reuse->lines[reuse->newest].line == line) {
        reuse->counts[0]++;
        return;
    }
    if (reuse->used)
        at = find(reuse, line);
    if (at == NONE) {
        reuse->counts[PM_REUSE_BANDS - 1]++;
        remember(reuse, line);
        return;
    }
    reuse->counts[reuse->lines[at].band]++;
    renew(reuse, at);
}

void pm_reuse_begin(struct pm_reuse *reuse, const struct pm_engine *engine, uint64_t of)
{
    *reuse = (struct pm_reuse){.engine = engine, .others = of - 1, .newest = NONE, .oldest = NONE};
}

static inline four halves(const uint64_t *addresses)
{
    four low, high;
    __builtin_memcpy(&low, addresses, sizeof low);
    __builtin_memcpy(&high, addresses + 2, sizeof high);
    return __builtin_shuffle(low, high, (four){0, 2, 4, 6});
}

// Nonzero where an address's line is not looked at.
static inline four folded(four address)
{
    address ^= address >> 12;
    return address ^ address >> 6;
}

void pm_reuse_told(struct pm_reuse *reuse, const uint64_t *addresses, size_t count)
{
    uint32_t others = (uint32_t)(reuse->others << PM_LINE_SHIFT);
    four mask = {others, others, others, others};
    for (size_t i = 0; i < count; i += 8) {
        four first = (folded(halves(addresses + i)) & mask) == 0;
        four second = (folded(halves(addresses + i + 4)) & mask) == 0;
        two any = (two)(first | second);
        if (!(any[0] | any[1]))
            continue;
        for (size_t j = 0; j < 8; j++)
            if ((j < 4 ? first : second)[j & 3] && i + j < count && addresses[i + j])
                accessed(reuse, addresses[i + j] >> PM_LINE_SHIFT);
    }
}

void pm_reuse_forget_counts(struct pm_reuse *reuse)
{
    for (uint32_t i = 0; i < PM_REUSE_BANDS; i++)
        reuse->counts[i] = 0;
}

void pm_reuse_release(struct pm_reuse *reuse)
{
    if (!reuse->room)
        return;
    reuse->engine->release(reuse->lines);
    reuse->engine->release(reuse->table);
    reuse->room = reuse->used = 0;
}
