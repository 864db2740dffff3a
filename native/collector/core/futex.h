// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that wait for one another by Linux's futex call, whose arguments are the same everywhere.
#ifndef PHASEMARK_FUTEX_H
#define PHASEMARK_FUTEX_H

#include "collector.h"

// The thread, which is paused, makes the call: a word, what is to be done, how often, and perhaps with which
// second word.
void pm_futex_called(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                     uint64_t operation, uint64_t count, uint64_t second);

// The call has returned.
void pm_futex_returned(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                       uint64_t operation);

#endif
