// SPDX-License-Identifier: GPL-2.0-or-later
// Tells the timing model what generated code does. The addresses of a block's accesses and the
// outcome of its branch are stored inline as they come up; one call at the block's end, made only
// while the model is on, hands them over.
#ifndef PHASEMARK_VALGRIND_TIMING_H
#define PHASEMARK_VALGRIND_TIMING_H

#include "builder.h"

// The machine that a file configures; `has_gaps`: it is off at times, and is to know then what it missed. Ends the
// process where the file makes no sense.
struct pm_machine *timing_machine(const HChar *path, const struct pm_engine *engine, Bool has_gaps);

// The model is on, or off, in the thread that runs.
void timing_switch(Bool on);

void timing_begin_superblock(void);

// A recorded block of `instructions` begins. `once` is NULL, or says, for a REP string
// instruction, whether this is its first iteration (1) or a later one (0).
void timing_begin_block(struct builder *b, UInt instructions, IRExpr *once);

// A statement of it is about to be added.
void timing_statement(struct builder *b, const IRStmt *statement);

// The block ends: by the exit, before the next block, or with the superblock.
void timing_exit(struct builder *b, const IRStmt *exit);
void timing_end_block(struct builder *b);
void timing_finish(struct builder *b);

#endif
