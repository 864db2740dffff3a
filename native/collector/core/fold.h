// SPDX-License-Identifier: GPL-2.0-or-later
// What an interval executed, folded into a few counters: each instruction counts in that of the block it is in,
// as the rows of a profile are folded by who tracks them (native/core/tracking). Blocks are recorded ones, divided
// wherever another one begins, as in profiles: of those that have been executed so far.
#ifndef PHASEMARK_FOLD_H
#define PHASEMARK_FOLD_H

#include "blocks.h"

enum { PM_MOST_COUNTERS = 1 << 14, PM_HEAVIEST = 256 };

// What is told of a block among the heaviest of an interval.
struct pm_heavy {
    uint64_t instructions;
    uint32_t block;
};

// From instruction `first` of a recorded block to its next part, or its end.
struct pm_part {
    uint32_t first, counter;
};

struct pm_folded_block {
    uint32_t parts, count; // where its parts are; 0: it was not executed yet
    uint32_t bytes;
    uint32_t version; // when it was divided
};

// Beginnings of blocks in this part of memory are looked at when one of them is new.
enum { PM_PAGES_LOG = 12 };

struct pm_fold {
    const struct pm_engine *engine;
    struct pm_blocks *blocks;
    uint32_t counters;
    uint64_t seed;  // of the hash
    uint64_t salt;  // of the hash, as it is used
    uint64_t began_ms; // when the stream did

    uint64_t *sums; // a counter each
    struct pm_heavy heaviest[PM_HEAVIEST];
    uint32_t heavy; // how many those are; while blocks are added, a heap, the lightest at its top

    PM_VECTOR(struct pm_folded_block) known; // by id of the block
    PM_VECTOR(struct pm_part) parts;
    PM_VECTOR(uint64_t) salts; // by id of the module; 0: not known yet
    uint32_t anonymous;        // modules without a file so far

    uint64_t *starts; // keys of where blocks begin; open addressing, 0 is free
    size_t start_slots, start_count;
    uint32_t version;
    uint32_t changed[1 << PM_PAGES_LOG]; // by hash of a page: when a block began in it that was new
};

struct pm_fold *pm_fold_new(const struct pm_engine *engine, uint32_t counters, uint64_t seed);

// Before an interval is folded: the block is executed in it. All of them are told first.
void pm_fold_know(struct pm_fold *fold, uint32_t block);

void pm_fold_clear(struct pm_fold *fold);

// Instructions [from, to) of a block that is known were executed so often.
void pm_fold_add(struct pm_fold *fold, uint32_t block, uint32_t from, uint32_t to, uint64_t times);

// All blocks were added: the heaviest stand first, and no more of them than have most of `length` instructions.
void pm_fold_rank(struct pm_fold *fold, uint64_t length);

#endif
