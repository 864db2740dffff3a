// SPDX-License-Identifier: GPL-2.0-or-later
// What the plugin has to know of the instruction sets and systems that QEMU runs programs for.
#ifndef PHASEMARK_QEMU_GUEST_H
#define PHASEMARK_QEMU_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest {
    const char *name; // as QEMU calls it
    int machine;      // as ELF numbers it
    // System calls.
    int64_t mmap, munmap, mremap, execve, execveat, sigaction, sigreturn, sched_yield;
    bool repeats;     // it has string instructions with a REP prefix
    bool straddles;   // QEMU may report an instruction beyond a page's end that it does not translate
    bool (*is_branch)(const uint8_t *code, size_t size);
};

extern const struct guest *guest;

// False: not one that is known.
bool guest_begin(const char *name);

// A string instruction that is repeated, and that QEMU executes once for each time.
bool guest_is_repeated(const uint8_t *code, size_t size);

// The name that QEMU has for programs of a machine, or NULL.
const char *guest_named(int machine);

#endif
