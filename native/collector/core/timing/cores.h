// SPDX-License-Identifier: GPL-2.0-or-later
// What several cores do to one another: a line that one writes is no more in the others' caches.
#ifndef PHASEMARK_TIMING_CORES_H
#define PHASEMARK_TIMING_CORES_H

#include "machine.h"

// A core of several writes [address, address + size).
void pm_cores_own(struct pm_core *core, uint64_t address, uint32_t size);

// It takes a copy of what its first level lacks.
void pm_cores_share(struct pm_core *core, uint64_t address, uint32_t size);

// Nobody is known any more to have a line alone.
void pm_cores_forget(struct pm_machine *machine);

#endif
