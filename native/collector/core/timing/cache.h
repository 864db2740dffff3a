// SPDX-License-Identifier: GPL-2.0-or-later
// A set-associative memory of lines (or, for a TLB, of pages) with true LRU replacement.
#ifndef PHASEMARK_TIMING_CACHE_H
#define PHASEMARK_TIMING_CACHE_H

#include "../engine.h"

struct pm_cache {
    uint64_t *lines; // line + 1 by set, most recently used first; 0: empty. NULL: not built
    uint64_t set_mask;
    uint32_t ways;
    uint32_t shift; // of an address to its line
};

// One that is not built: sets and bytes_per_line are powers of two.
struct pm_cache pm_cache_of(uint64_t sets, uint64_t ways, uint64_t bytes_per_line);

// Gives it memory, and leaves it empty.
void pm_cache_build(struct pm_cache *cache, const struct pm_engine *engine);
void pm_cache_empty(struct pm_cache *cache);
void pm_cache_release(struct pm_cache *cache, const struct pm_engine *engine);

// Looks a line up beyond the most recently used one, and makes it that; true: it was there.
bool pm_cache_search(uint64_t *set, uint32_t ways, uint64_t wanted);

// Whether a line was the last of its set to be used: touching it again would change nothing.
static inline bool pm_cache_is_recent(const struct pm_cache *cache, uint64_t line)
{
    return cache->lines[(line & cache->set_mask) * cache->ways] == line + 1;
}

static inline bool pm_cache_touch(struct pm_cache *cache, uint64_t line)
{
    uint64_t *set = cache->lines + (line & cache->set_mask) * cache->ways;
    return *set == line + 1 || pm_cache_search(set, cache->ways, line + 1);
}

// Whether the line is there; changes nothing.
bool pm_cache_holds(const struct pm_cache *cache, uint64_t line);

// The lines of [address, address + size) are no more there.
void pm_cache_drop(struct pm_cache *cache, uint64_t address, uint64_t size);

// Touches every line of [address, address + size); true: all were there. size > 0.
static inline bool pm_cache_access(struct pm_cache *cache, uint64_t address, uint32_t size)
{
    uint64_t line = address >> cache->shift, last = (address + size - 1) >> cache->shift;
    bool hit = pm_cache_touch(cache, line);
    while (line != last)
        hit &= pm_cache_touch(cache, ++line);
    return hit;
}

#endif
