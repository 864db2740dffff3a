// SPDX-License-Identifier: GPL-2.0-or-later
// What the core needs from the engine it runs under. The core is freestanding: an engine may
// have no C library, so memory, output and time come in through these few functions.
#ifndef PHASEMARK_ENGINE_H
#define PHASEMARK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_engine {
    // Like realloc; never fails. New bytes are not cleared.
    void *(*resize)(void *old, size_t bytes);
    void (*release)(void *memory);
    // Zeroed memory for counters, which costs nothing until it is used and never moves, so that threads may
    // count while others make more blocks; both NULL: threads take turns, and their counters may be moved.
    void *(*reserve)(size_t bytes);
    void (*unreserve)(void *memory, size_t bytes);
    // Appends whole records to the process's file; false: the file will take no more.
    bool (*write)(const void *bytes, size_t size);
    uint64_t (*now_ms)(void);
};

#endif
