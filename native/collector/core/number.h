// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers in text.
#ifndef PHASEMARK_NUMBER_H
#define PHASEMARK_NUMBER_H

#include <stddef.h>
#include <stdint.h>

// Reads a number of at most 19 digits, after blanks. Returns where it ends, or NULL: there is none.
static inline const char *pm_number(const char *at, uint64_t *value)
{
    while (*at == ' ')
        at++;
    const char *first = at;
    for (*value = 0; *at >= '0' && *at <= '9' && at - first < 19; at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at == first ? NULL : at;
}

#endif
