// SPDX-License-Identifier: GPL-2.0-or-later
// Generated code notes inline when each line of memory was used last, see core/timing/uses.h.
#ifndef PHASEMARK_VALGRIND_USES_H
#define PHASEMARK_VALGRIND_USES_H

#include "builder.h"

// From now on uses are noted, and found there.
void uses_begin(struct pm_uses *uses);

// Code is generated of a superblock; of a recorded block of it.
void uses_begin_superblock(void);
void uses_begin_block(struct builder *b);

// A statement of the block is about to be added, and an access that it makes.
void uses_statement(struct builder *b, const IRStmt *statement);
void uses_access(struct builder *b, IRExpr *address);

#endif
