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

// The number in the `size` bytes at `at`, low byte first, with its sign.
static int64_t relative(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);
}

static struct branch direct(enum branch_kind kind, uint64_t target)
{
    return (struct branch){.kind = kind, .has_target = true, .target = target};
}

static struct branch computed(enum branch_kind kind)
{
    return (struct branch){.kind = kind};
}

// Of an instruction that ends in so many bytes of distance from its end.
static struct branch x86_relative(enum branch_kind kind, const uint8_t *code, size_t size,
                                  uint64_t address, size_t bytes)
{
    int64_t distance = relative(code + size - bytes, bytes);
    return direct(kind, address + size + (uint64_t)distance);
}

static struct branch x86_branch(const uint8_t *code, size_t size, uint64_t address)
{
    bool ignored;
    size_t at = prefixes(code, size, 0, 0, &ignored), more = size - at;
    if (!more)
        return computed(BRANCH_NONE);
    uint8_t opcode = code[at], next = more > 1 ? code[at + 1] : 0;
    if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb || opcode == 0xcf)
        return computed(BRANCH_RETURN);
    if (more >= 5 && (opcode == 0xe8 || opcode == 0xe9))
        return x86_relative(opcode == 0xe8 ? BRANCH_CALL : BRANCH_JUMP, code, size, address, 4);
    if (more >= 6 && opcode == 0x0f && (next & 0xf0) == 0x80)
        return x86_relative(BRANCH_JUMP, code, size, address, 4);
    if (more >= 2 && ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 || opcode == 0xeb))
        return x86_relative(BRANCH_JUMP, code, size, address, 1);
    unsigned extension = next >> 3 & 7;
    if (opcode == 0xff && extension >= 2 && extension <= 5)
        return computed(extension <= 3 ? BRANCH_CALL : BRANCH_INDIRECT);
    return computed(BRANCH_NONE);
}

static uint32_t word(const uint8_t *code, size_t size)
{
    uint32_t value = 0;
    memcpy(&value, code, size < sizeof value ? size : sizeof value);
    return value;
}

// The bits [from, from + count) of a word.
static uint32_t bits(uint32_t w, unsigned from, unsigned count)
{
    return w >> from & ((1u << count) - 1);
}

static int64_t with_sign(uint64_t value, unsigned count)
{
    return (int64_t)(value << (64 - count)) >> (64 - count);
}

static struct branch aarch64_branch(const uint8_t *code, size_t size, uint64_t address)
{
    uint32_t w = word(code, size);
    enum branch_kind kind = BRANCH_JUMP;
    int64_t distance;
    if ((w & 0x7c000000) == 0x14000000) {
        kind = w >> 31 ? BRANCH_CALL : BRANCH_JUMP;
        distance = with_sign(bits(w, 0, 26), 26);
    } else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000) {
        distance = with_sign(bits(w, 5, 19), 19);
    } else if ((w & 0x7e000000) == 0x36000000) {
        distance = with_sign(bits(w, 5, 14), 14);
    } else if ((w & 0xfe000000) == 0xd6000000) {
        static const enum branch_kind kinds[] = {BRANCH_INDIRECT, BRANCH_CALL, BRANCH_RETURN};
        uint32_t operation = bits(w, 21, 3); // with authentication of pointers, or without
        return computed(operation < 3 ? kinds[operation] : BRANCH_NONE);
    } else {
        return computed(BRANCH_NONE);
    }
    return direct(kind, address + 4 * (uint64_t)distance);
}

// x1 and x5 hold return addresses.
static bool is_link(uint32_t reg)
{
    return reg == 1 || reg == 5;
}

static struct branch riscv_jump(uint32_t to, uint32_t by)
{
    if (is_link(to))
        return computed(BRANCH_CALL);
    return computed(is_link(by) ? BRANCH_RETURN : BRANCH_INDIRECT);
}

static struct branch riscv_short(uint32_t w, uint64_t address)
{
    uint32_t function = bits(w, 13, 3), reg = bits(w, 7, 5);
    if (bits(w, 0, 2) == 2 && function == 4 && !bits(w, 2, 5) && reg)
        return riscv_jump(bits(w, 12, 1), reg);
    if (bits(w, 0, 2) != 1 || function < 5)
        return computed(BRANCH_NONE);
    int64_t distance;
    if (function == 5)
        distance = with_sign(bits(w, 12, 1) << 11 | bits(w, 11, 1) << 4 | bits(w, 9, 2) << 8
                                 | bits(w, 8, 1) << 10 | bits(w, 7, 1) << 6 | bits(w, 6, 1) << 7
                                 | bits(w, 3, 3) << 1 | bits(w, 2, 1) << 5,
                             12);
    else
        distance = with_sign(bits(w, 12, 1) << 8 | bits(w, 10, 2) << 3 | bits(w, 5, 2) << 6
                                 | bits(w, 3, 2) << 1 | bits(w, 2, 1) << 5,
                             9);
    return direct(BRANCH_JUMP, address + (uint64_t)distance);
}

static struct branch riscv_branch(const uint8_t *code, size_t size, uint64_t address)
{
    uint32_t w = word(code, size), to = bits(w, 7, 5);
    if (size == 2)
        return riscv_short(w, address);
    switch (bits(w, 0, 7)) {
    case 0x63:
        return direct(BRANCH_JUMP,
                      address
                          + (uint64_t)with_sign(bits(w, 31, 1) << 12 | bits(w, 25, 6) << 5
                                                    | bits(w, 8, 4) << 1 | bits(w, 7, 1) << 11,
                                                13));
    case 0x67:
        return riscv_jump(to, bits(w, 15, 5));
    case 0x6f:
        return direct(is_link(to) ? BRANCH_CALL : BRANCH_JUMP,
                      address
                          + (uint64_t)with_sign(bits(w, 31, 1) << 20 | bits(w, 21, 10) << 1
                                                    | bits(w, 20, 1) << 11 | bits(w, 12, 8) << 12,
                                                21));
    default:
        return computed(BRANCH_NONE);
    }
}

#define GENERIC_CALLS                                                                              \
    .mmap = 222, .munmap = 215, .mremap = 216, .execve = 221, .execveat = 281, .sigaction = 134,   \
    .sigreturn = 139, .sched_yield = 124, .futex = 98, .clone = 220

static const struct guest guests[] = {
    {.name = "x86_64", .machine = EM_X86_64, .mmap = 9, .munmap = 11, .mremap = 25, .execve = 59,
     .execveat = 322, .sigaction = 13, .sigreturn = 15, .sched_yield = 24, .futex = 202, .clone = 56, .repeats = true, .straddles = true,
     .branch = x86_branch},
    {.name = "aarch64", .machine = EM_AARCH64, GENERIC_CALLS, .branch = aarch64_branch},
    {.name = "riscv64", .machine = EM_RISCV, GENERIC_CALLS, .branch = riscv_branch},
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
