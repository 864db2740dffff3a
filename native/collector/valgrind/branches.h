// SPDX-License-Identifier: GPL-2.0-or-later
// Counts branches that nothing foretold, see core/branches.h.
#ifndef PHASEMARK_VALGRIND_BRANCHES_H
#define PHASEMARK_VALGRIND_BRANCHES_H

#include "builder.h"

// The block under construction may end here.
void branches_exit(struct builder *b, const IRStmt *exit);

// It ends by going to this address, which is not known beforehand, and goes not back to a call.
void branches_target(struct builder *b, IRExpr *target);

#endif
