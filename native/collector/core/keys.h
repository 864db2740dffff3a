// SPDX-License-Identifier: GPL-2.0-or-later
// What names code in any run of a program: a hash of its module's name and its offset, as phasemark's
// signatures have it (signatures/projection.py, native/core/numbers/random.hpp).
#ifndef PHASEMARK_KEYS_H
#define PHASEMARK_KEYS_H

#include <stdint.h>

// SplitMix64's finaliser: a bijection.
static inline uint64_t pm_mix64(uint64_t z)
{
    z += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

// What the name of a module adds to offsets in it: BLAKE2b of eight bytes, the first of them the lowest.
uint64_t pm_name_salt(const char *name);

#endif
