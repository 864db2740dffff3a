// SPDX-License-Identifier: GPL-2.0-or-later
// The memory accesses of generated code: each is noted by its address, for the core to be told of many at once.
#ifndef PHASEMARK_ACCESSES_H
#define PHASEMARK_ACCESSES_H

#include "builder.h"

// What is done with an access of a statement; `guard` says whether it happens, NULL: it does.
typedef void access_seen(struct builder *b, IRExpr *address, UInt size, Bool store, IRExpr *guard);

void accesses_of(struct builder *b, const IRStmt *statement, access_seen *see);

// `full`: what generated code calls when no more can be noted.
void accesses_begin(void (*full)(void));

// The addresses noted up to a cursor, and the first one.
const uint64_t *accesses_noted(void);
ULong accesses_first(void);
SizeT accesses_count(ULong cursor);

// Notes that the code from start to end is executed, by those of its lines that are looked at, one of `lines`.
void accesses_note_code(struct builder *b, Addr start, Addr end, ULong lines);

// Notes the accesses of a statement.
void accesses_note(struct builder *b, const IRStmt *statement);

// Those noted since the last such call have happened: to be called wherever the superblock may be left.
void accesses_happened(struct builder *b);

#endif
