// SPDX-License-Identifier: GPL-2.0-or-later
// What the plugin has to know of the instruction sets and systems that QEMU runs programs for.
#ifndef PHASEMARK_QEMU_GUEST_H
#define PHASEMARK_QEMU_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum branch_kind { BRANCH_NONE, BRANCH_JUMP, BRANCH_INDIRECT, BRANCH_CALL, BRANCH_RETURN };

// What an instruction does with the flow of control; BRANCH_JUMP is a direct one, with a condition or without.
struct branch {
    enum branch_kind kind;
    bool has_target; // it leads to one place
    uint64_t target;
};

struct guest {
    const char *name; // as QEMU calls it
    int machine;      // as ELF numbers it
    // System calls.
    int64_t mmap, munmap, mremap, execve, execveat, sigaction, sigreturn, sched_yield, futex, clone;
    bool repeats;     // it has string instructions with a REP prefix
    bool straddles;   // QEMU may report an instruction beyond a page's end that it does not translate
    struct branch (*branch)(const uint8_t *code, size_t size, uint64_t address);
};

extern const struct guest *guest;

// False: not one that is known.
bool guest_begin(const char *name);

// A string instruction that is repeated, and that QEMU executes once for each time.
bool guest_is_repeated(const uint8_t *code, size_t size);

// The name that QEMU has for programs of a machine, or NULL.
const char *guest_named(int machine);

#endif
