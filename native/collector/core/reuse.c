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

static uint32_t hash(const struct pm_recent *recent, uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (2 * recent->room - 1);
}

// ---------------------------------------------------------------- the table

static void enter(struct pm_recent *recent, uint32_t at)
{
    uint32_t *place = &recent->table[hash(recent, recent->lines[at].line)];
    recent->lines[at].next = *place;
    *place = at;
}

static void take_out(struct pm_recent *recent, uint32_t at)
{
    uint32_t *place = &recent->table[hash(recent, recent->lines[at].line)];
    while (*place != at)
        place = &recent->lines[*place].next;
    *place = recent->lines[at].next;
}

static uint32_t find(const struct pm_recent *recent, uint64_t line)
{
    uint32_t at = recent->table[hash(recent, line)];
    while (at != NONE && recent->lines[at].line != line)
        at = recent->lines[at].next;
    return at;
}

static void grow(struct pm_recent *recent)
{
    const struct pm_engine *engine = recent->engine;
    recent->room = recent->room ? 2 * recent->room : FIRST_LINES;
    recent->lines = engine->resize(recent->lines, recent->room * sizeof *recent->lines);
    recent->table = engine->resize(recent->table, 2 * recent->room * sizeof *recent->table);
    for (uint32_t i = 0; i < 2 * recent->room; i++)
        recent->table[i] = NONE;
    for (uint32_t at = 0; at < recent->used; at++)
        enter(recent, at);
}

// ---------------------------------------------------------------- the order

// Those in bands before `band` become older by one: the oldest of each band goes to the next one.
static void age(struct pm_recent *recent, uint32_t band)
{
    for (uint32_t i = 0; i < band; i++) {
        struct pm_reuse_line *last = &recent->lines[recent->markers[i]];
        last->band = i + 1;
        recent->markers[i] = last->newer;
    }
}

static void unlink(struct pm_recent *recent, uint32_t at)
{
    const struct pm_reuse_line *line = &recent->lines[at];
    recent->lines[line->newer].older = line->older;
    if (line->older == NONE)
        recent->oldest = line->newer;
    else
        recent->lines[line->older].newer = line->newer;
}

static void put_first(struct pm_recent *recent, uint32_t at)
{
    struct pm_reuse_line *line = &recent->lines[at];
    line->band = 0;
    line->newer = NONE;
    line->older = recent->newest;
    if (recent->newest != NONE)
        recent->lines[recent->newest].newer = at;
    recent->newest = recent->markers[0] = at;
}

// One that is remembered, and is not the newest, becomes that.
static void renew(struct pm_recent *recent, uint32_t at)
{
    uint32_t band = recent->lines[at].band;
    if (recent->markers[band] == at)
        recent->markers[band] = recent->lines[at].newer;
    age(recent, band);
    unlink(recent, at);
    put_first(recent, at);
}

static void add_first(struct pm_recent *recent, uint32_t at)
{
    uint32_t bands = 0;
    while (recent->used >> bands)
        bands++;
    age(recent, bands);
    put_first(recent, at);
    recent->used++;
    if (recent->used == 1)
        recent->oldest = at;
    if (recent->used >> bands)
        recent->markers[bands] = recent->oldest;
}

// ---------------------------------------------------------------- accesses

static void remember(struct pm_recent *recent, uint64_t line)
{
    if (recent->used == MOST_LINES) {
        uint32_t at = recent->oldest;
        take_out(recent, at);
        recent->lines[at].line = line;
        enter(recent, at);
        renew(recent, at);
        return;
    }
    if (recent->used == recent->room)
        grow(recent);
    recent->lines[recent->used].line = line;
    enter(recent, recent->used);
    add_first(recent, recent->used);
}

static __attribute__((noinline)) void accessed(struct pm_recent *recent, uint64_t line)
{
    uint32_t at = NONE;
    if (recent->used && recent->lines[recent->newest].line == line) {
        recent->counts[0]++;
        return;
    }
    if (recent->used)
        at = find(recent, line);
    if (at == NONE) {
        recent->counts[PM_REUSE_BANDS - 1]++;
        remember(recent, line);
        return;
    }
    recent->counts[recent->lines[at].band]++;
    renew(recent, at);
}

// ---------------------------------------------------------------- which lines

// Four addresses at a time.
typedef uint32_t four __attribute__((vector_size(16)));
typedef long long two __attribute__((vector_size(16)));

static inline four halves(const uint64_t *addresses)
{
    four low, high;
    __builtin_memcpy(&low, addresses, sizeof low);
    __builtin_memcpy(&high, addresses + 2, sizeof high);
    return __builtin_shuffle(low, high, (four){0, 2, 4, 6});
}

// All bits set where an address is looked at, as pm_reuse_looks_at has it.
static inline four looked_at(four address, four others)
{
    address ^= address >> 12;
    return (four)(((address ^ address >> 6) & others) == 0);
}

static void look_at(struct pm_reuse *reuse, uint64_t address)
{
    if (address >> 63)
        accessed(&reuse->code, address >> 32);
    else if (address)
        accessed(&reuse->data, address >> PM_LINE_SHIFT);
}

void pm_reuse_told(struct pm_reuse *reuse, const uint64_t *addresses, size_t count)
{
    uint32_t bits = (uint32_t)(reuse->others << PM_LINE_SHIFT);
    four others = {bits, bits, bits, bits};
    // What lies behind the last address is looked at with it, and left.
    for (size_t i = 0; i < count; i += 8) {
        four first = looked_at(halves(addresses + i), others);
        four second = looked_at(halves(addresses + i + 4), others);
        two any = (two)(first | second);
        if (!(any[0] | any[1]))
            continue;
        for (size_t j = 0; j < 8 && i + j < count; j++)
            if ((j < 4 ? first : second)[j & 3])
                look_at(reuse, addresses[i + j]);
    }
}

// ---------------------------------------------------------------- of a thread

void pm_reuse_begin(struct pm_reuse *reuse, const struct pm_engine *engine, uint64_t lines)
{
    struct pm_recent none = {.engine = engine, .newest = NONE, .oldest = NONE};
    *reuse = (struct pm_reuse){.others = lines - 1, .data = none, .code = none};
}

static void forget_counts(struct pm_recent *recent)
{
    for (uint32_t i = 0; i < PM_REUSE_BANDS; i++)
        recent->counts[i] = 0;
}

void pm_reuse_forget_counts(struct pm_reuse *reuse)
{
    forget_counts(&reuse->data);
    forget_counts(&reuse->code);
}

static void release(struct pm_recent *recent)
{
    if (!recent->room)
        return;
    recent->engine->release(recent->lines);
    recent->engine->release(recent->table);
    recent->room = recent->used = 0;
}

void pm_reuse_release(struct pm_reuse *reuse)
{
    release(&reuse->data);
    release(&reuse->code);
}
