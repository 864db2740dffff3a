// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache.h"

static uint32_t log2_of(uint64_t power)
{
    uint32_t log = 0;
    while (power >> (log + 1))
        log++;
    return log;
}

void pm_cache_build(struct pm_cache *cache, const struct pm_engine *engine, uint64_t sets,
                    uint64_t ways, uint64_t bytes_per_line)
{
    *cache = (struct pm_cache){.lines = engine->resize(NULL, sets * ways * sizeof *cache->lines),
                               .set_mask = sets - 1,
                               .ways = (uint32_t)ways,
                               .shift = log2_of(bytes_per_line)};
    for (uint64_t i = 0; i < sets * ways; i++)
        cache->lines[i] = 0;
}

void pm_cache_release(struct pm_cache *cache, const struct pm_engine *engine)
{
    if (cache->lines)
        engine->release(cache->lines);
    cache->lines = NULL;
}

bool pm_cache_holds(const struct pm_cache *cache, uint64_t line)
{
    const uint64_t *set = cache->lines + (line & cache->set_mask) * cache->ways;
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way] == line + 1)
            return true;
    return false;
}

bool pm_cache_search(uint64_t *set, uint32_t ways, uint64_t wanted)
{
    uint32_t way = 1;
    while (way < ways && set[way] != wanted)
        way++;
    bool hit = way < ways;
    for (uint32_t i = hit ? way : ways - 1; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = wanted;
    return hit;
}
