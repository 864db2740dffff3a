// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest.h"

#include <string.h>

enum { EM_X86_64 = 62, EM_AARCH64 = 183, EM_RISCV = 243 };

static bool is_prefix(uint8_t byte)
{
    return memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte, 11) || (byte & 0xf0) == 0x40;
}

// The number of prefixes; `found` is set if `wanted`, or `other`, is among them.
static size_t prefixes(const uint8_t *code, size_t size, uint8_t wanted, uint8_t other, bool *found)
{
    size_t at = 0;
    *found = false;
    for (; at < size && is_prefix(code[at]); at++)
        *found |= code[at] == wanted || code[at] == other;
    return at;
}

bool guest_is_repeated(const uint8_t *code, size_t size)
{
    bool repeated;
    size_t at = prefixes(code, size, 0xf2, 0xf3, &repeated);
    if (!repeated || at >= size)
        return false;
    uint8_t opcode = code[at];
    return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf)
           || (opcode >= 0x6c && opcode <= 0x6f);
}

// A jump, a call or a return.
static bool x86_is_branch(const uint8_t *code, size_t size)
{
    bool ignored;
    size_t at = prefixes(code, size, 0, 0, &ignored);
    if (at + 1 >= size)
        return at < size && (code[at] == 0xc3 || code[at] == 0xcb || code[at] == 0xcf);
    uint8_t opcode = code[at], next = code[at + 1];
    if (opcode == 0x0f)
        return (next & 0xf0) == 0x80;
    if (opcode == 0xff)
        return (next & 0x38) >= 0x10 && (next & 0x38) <= 0x28;
    return (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 || opcode == 0xe8 || opcode == 0xe9
           || opcode == 0xeb || opcode == 0xc2 || opcode == 0xca;
}

static uint32_t word(const uint8_t *code, size_t size)
{
    uint32_t value = 0;
    memcpy(&value, code, size < sizeof value ? size : sizeof value);
    return value;
}

// The class that has branches has system instructions, too.
static bool aarch64_is_branch(const uint8_t *code, size_t size)
{
    return (word(code, size) & 0x1c000000) == 0x14000000;
}

static bool riscv_is_branch(const uint8_t *code, size_t size)
{
    uint32_t w = word(code, size), major = w & 0x7f, function = w >> 13 & 7;
    if (size == 4)
        return major == 0x63 || major == 0x67 || major == 0x6f;
    if ((w & 3) == 1)
        return function >= 5;
    return (w & 3) == 2 && function == 4 && !(w >> 2 & 0x1f);
}

#define GENERIC_CALLS                                                                              \
    .mmap = 222, .munmap = 215, .mremap = 216, .execve = 221, .execveat = 281, .sigaction = 134,   \
    .sigreturn = 139, .sched_yield = 124

static const struct guest guests[] = {
    {.name = "x86_64", .machine = EM_X86_64, .mmap = 9, .munmap = 11, .mremap = 25, .execve = 59,
     .execveat = 322, .sigaction = 13, .sigreturn = 15, .sched_yield = 24, .repeats = true, .straddles = true,
     .is_branch = x86_is_branch},
    {.name = "aarch64", .machine = EM_AARCH64, GENERIC_CALLS, .is_branch = aarch64_is_branch},
    {.name = "riscv64", .machine = EM_RISCV, GENERIC_CALLS, .is_branch = riscv_is_branch},
};

const struct guest *guest;

bool guest_begin(const char *name)
{
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        if (strcmp(guests[i].name, name) == 0)
            guest = &guests[i];
    return guest != NULL;
}

const char *guest_named(int machine)
{
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        if (guests[i].machine == machine)
            return guests[i].name;
    return NULL;
}
