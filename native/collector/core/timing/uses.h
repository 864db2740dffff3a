// SPDX-License-Identifier: GPL-2.0-or-later
// When each line of memory was used last, and by which core: noted whether the model is on or off, so that its
// memories can be filled as they would be when it goes on again. With LRU replacement a set holds the lines that
// were used last, and nothing else need be known of what happened meanwhile (a memory timestamp record: Barr,
// Pan, Zhang, Asanovic, ISPASS 2005).
#ifndef PHASEMARK_TIMING_USES_H
#define PHASEMARK_TIMING_USES_H

#include "cache.h"

// A line's place follows from its address. Of lines that share one, that which was used last is known.
struct pm_use {
    uint64_t address; // in the line; of code with PM_USE_CODE; 0: none
    uint64_t when;    // and by which core; 0: never
};

#define PM_USE_CODE (UINT64_C(1) << 63)

enum {
    PM_USE_LINE = 6,     // of an address to its line
    PM_USE_CORE = 8,     // lowest bits of a time: the core's number
    PM_USE_SHIFT = 6 - 4, // of an address to where its place is, in bytes, under the mask: a place has 16
};

#define PM_USE_STEP (UINT64_C(1) << PM_USE_CORE) // from one time to the next

// There are so many places for a line of the last level, within bounds.
enum { PM_PLACES_A_LINE = 8, PM_FEWEST_PLACES = 1 << 17, PM_MOST_PLACES = 1 << 22 };

struct pm_uses {
    struct pm_use *places; // NULL: nothing is noted
    uint64_t mask;         // of where a place is, in bytes
    uint64_t now;          // goes on by PM_USE_STEP with each block; its lowest bits are the running core's number
    uint64_t since;        // uses before are of another process image
};

// A cache that is to be filled, and with which uses.
struct pm_filling {
    struct pm_cache *cache;
    bool code, data;
    bool own;        // of one core alone
    uint64_t *times; // of its lines, while it is filled
};

static inline struct pm_use *pm_use_of(const struct pm_uses *uses, uint64_t address)
{
    return (struct pm_use *)((char *)uses->places + (address >> PM_USE_SHIFT & uses->mask));
}

// As many as a last level of so many lines needs; a power of two.
uint64_t pm_places_for(uint64_t lines);

// Empties caches, and fills them with what was used last; of those of one core, by `core`.
void pm_uses_fill(const struct pm_uses *uses, const struct pm_engine *engine, struct pm_filling *fillings,
                  size_t count, uint32_t core);

#endif
