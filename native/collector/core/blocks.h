// SPDX-License-Identifier: GPL-2.0-or-later
// The recorded blocks: straight runs of instructions that execute all or none, faults aside.
// Equal blocks (module, offset, instruction lengths) share an id however often an engine
// translates them, so the table is bounded by the program's code.
#ifndef PHASEMARK_BLOCKS_H
#define PHASEMARK_BLOCKS_H

#include "modules.h"

struct pm_block {
    uint64_t offset; // from the module's start
    uint32_t module;
    uint32_t instructions;
    uint32_t lengths; // where the packed instruction lengths start in the table's nibbles
    bool written;     // its record is in the stream
};

struct pm_blocks {
    const struct pm_engine *engine;
    struct pm_modules *modules;
    PM_VECTOR(struct pm_block) list;
    PM_VECTOR(unsigned char) nibbles; // two instruction lengths a byte, low nibble first
    uint32_t *slots;                  // open addressing: id + 1, 0 is free
    size_t slot_count;                // a power of two
};

// The id of the block, new or known.
uint32_t pm_blocks_intern(struct pm_blocks *blocks, uint32_t module, uint64_t offset,
                          const uint8_t *lengths, uint32_t instructions);

// How many instructions of the block lie before the instruction at `offset` bytes from its
// start, or -1 if none starts there.
int64_t pm_blocks_index_at(const struct pm_blocks *blocks, uint32_t id, uint64_t offset);

// Writes the block's record, and its module's before, unless the stream has it: a block that is
// never executed needs none.
void pm_blocks_write(struct pm_blocks *blocks, uint32_t id);

// A new stream has no records yet.
void pm_blocks_rewrite(struct pm_blocks *blocks);

#endif
