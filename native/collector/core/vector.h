// SPDX-License-Identifier: GPL-2.0-or-later
// Growing arrays: items, how many are used, how many fit.
#ifndef PHASEMARK_VECTOR_H
#define PHASEMARK_VECTOR_H

#include "engine.h"

#define PM_VECTOR(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t used, capacity;                                                                     \
    }

// Makes room for `extra` more items; existing pointers into the vector die.
#define PM_RESERVE(engine, vector, extra)                                                          \
    do {                                                                                           \
        if ((vector)->used + (extra) > (vector)->capacity) {                                       \
            (vector)->capacity = 2 * (vector)->capacity + (extra) + 8;                             \
            (vector)->items = (engine)->resize((vector)->items,                                    \
                                               (vector)->capacity * sizeof *(vector)->items);      \
        }                                                                                          \
    } while (0)

#define PM_PUSH(engine, vector, item)                                                              \
    do {                                                                                           \
        PM_RESERVE(engine, vector, 1);                                                             \
        (vector)->items[(vector)->used++] = (item);                                                \
    } while (0)

#define PM_RELEASE(engine, vector)                                                                 \
    do {                                                                                           \
        if ((vector)->items)                                                                       \
            (engine)->release((vector)->items);                                                    \
        (vector)->items = NULL;                                                                    \
        (vector)->used = (vector)->capacity = 0;                                                   \
    } while (0)

#endif
