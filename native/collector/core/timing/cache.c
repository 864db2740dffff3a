// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache.h"

static uint32_t log2_of(uint64_t power)
{
    uint32_t log = 0;
    while (power >> (log + 1))
        log++;
    return log;
}

struct pm_cache pm_cache_of(uint64_t sets, uint64_t ways, uint64_t bytes_per_line)
{
    return (struct pm_cache){
        .set_mask = sets - 1, .ways = (uint32_t)ways, .shift = log2_of(bytes_per_line)};
}

void pm_cache_build(struct pm_cache *cache, const struct pm_engine *engine)
{
    size_t bytes = (cache->set_mask + 1) * cache->ways * sizeof *cache->lines;
    cache->lines = engine->resize(NULL, bytes);
    pm_cache_empty(cache);
}

void pm_cache_empty(struct pm_cache *cache)
{
    for (uint64_t i = 0; cache->lines && i < (cache->set_mask + 1) * cache->ways; i++)
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

static void drop_line(struct pm_cache *cache, uint64_t line)
{
    uint64_t *set = cache->lines + (line & cache->set_mask) * cache->ways;
    uint32_t way = 0;
    while (way < cache->ways && set[way] != line + 1)
        way++;
    if (way == cache->ways)
        return;
    for (; way + 1 < cache->ways; way++)
        set[way] = set[way + 1];
    set[way] = 0;
}

void pm_cache_drop(struct pm_cache *cache, uint64_t address, uint64_t size)
{
    uint64_t last = (address + size - 1) >> cache->shift;
    for (uint64_t line = address >> cache->shift; line <= last; line++)
        drop_line(cache, line);
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
