// SPDX-License-Identifier: GPL-2.0-or-later
#include "uses.h"

uint64_t pm_places_for(uint64_t lines)
{
    uint64_t places = PM_FEWEST_PLACES;
    while (places < PM_MOST_PLACES && places < lines * PM_PLACES_A_LINE)
        places *= 2;
    return places;
}

// ---------------------------------------------------------------- a set

// Where a line stands that is there already, or else the last place, which it takes.
static uint32_t place_in(const uint64_t *set, const uint64_t *times, uint32_t ways, uint64_t line)
{
    uint32_t way = 0;
    while (way + 1 < ways && times[way] && set[way] != line + 1)
        way++;
    return way;
}

static __attribute__((noinline)) void enter(const struct pm_cache *cache, size_t first, uint64_t *times,
                                            uint64_t line, uint64_t when)
{
    uint64_t *set = cache->lines + first;
    uint32_t way = cache->ways - 1;
    if (cache->shift != PM_USE_LINE) // several uses are of one line
        way = place_in(set, times, cache->ways, line);
    if (when <= times[way])
        return;
    for (; way && times[way - 1] < when; way--) {
        set[way] = set[way - 1];
        times[way] = times[way - 1];
    }
    set[way] = line + 1;
    times[way] = when;
}

// Most are older than all of their set.
static inline void put(const struct pm_filling *filling, uint64_t address, uint64_t when)
{
    const struct pm_cache *cache = filling->cache;
    uint64_t line = address >> cache->shift;
    size_t first = (line & cache->set_mask) * cache->ways;
    if (when > filling->times[first + cache->ways - 1])
        enter(cache, first, filling->times + first, line, when);
}

// ---------------------------------------------------------------- all of them

static void begin(struct pm_filling *filling, const struct pm_engine *engine)
{
    size_t lines = (filling->cache->set_mask + 1) * filling->cache->ways;
    pm_cache_empty(filling->cache);
    filling->times = engine->resize(NULL, lines * sizeof *filling->times);
    for (size_t i = 0; i < lines; i++)
        filling->times[i] = 0;
}

static void take(const struct pm_filling *fillings, size_t count, const struct pm_use *use, uint32_t core)
{
    bool code = use->address >> 63, own = (use->when & (PM_USE_STEP - 1)) == core;
    uint64_t address = use->address & ~PM_USE_CODE;
    for (size_t i = 0; address && i < count; i++)
        if ((code ? fillings[i].code : fillings[i].data) && (own || !fillings[i].own))
            put(&fillings[i], address, use->when);
}

// Most programs use few places: those that never were are passed over together.
enum { AT_ONCE = 8 };

static bool any(const struct pm_use *use)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < AT_ONCE; i++)
        all |= use[i].when;
    return all != 0;
}

void pm_uses_fill(const struct pm_uses *uses, const struct pm_engine *engine, struct pm_filling *fillings,
                  size_t count, uint32_t core)
{
    const struct pm_use *end = uses->places + uses->mask / sizeof *uses->places + 1;
    for (size_t i = 0; i < count; i++)
        begin(&fillings[i], engine);
    for (const struct pm_use *use = uses->places; use < end; use += AT_ONCE) {
        if (!any(use))
            continue;
        for (unsigned i = 0; i < AT_ONCE; i++)
            if (use[i].when > uses->since)
                take(fillings, count, &use[i], core);
    }
    for (size_t i = 0; i < count; i++)
        engine->release(fillings[i].times);
}
