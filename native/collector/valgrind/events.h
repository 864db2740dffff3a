// SPDX-License-Identifier: GPL-2.0-or-later
// Notes events where they happen: generated code puts a site and what is left of the interval
// into a buffer, and calls only when that is full.
#ifndef PHASEMARK_VALGRIND_EVENTS_H
#define PHASEMARK_VALGRIND_EVENTS_H

#include "../core/trace.h"
#include "builder.h"
#include "instrument.h"

void events_begin(const struct instrument_hooks *hooks);

// The block that ends with the current instruction is complete, and
// - a branch back is taken, or is if the guard says so,
void events_back(struct builder *b, Addr target);
void events_back_if(struct builder *b, IRExpr *guard, Addr target);
// - a branch to a place that only the run tells is taken, which may lead back,
void events_computed(struct builder *b, IRExpr *target);
// - a function is called (target 0: only the run tells which) or left.
void events_call(struct builder *b, Addr target);
void events_return(struct builder *b);

// The noted events, of the running thread, and where the next ones go.
struct pm_event *events_noted(void);
SizeT events_count(ULong cursor);
ULong events_first(void);

#endif
