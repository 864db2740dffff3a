// SPDX-License-Identifier: GPL-2.0-or-later
// Which mapped memory the program's code lies in.
#ifndef PHASEMARK_QEMU_MEMORY_MAP_H
#define PHASEMARK_QEMU_MEMORY_MAP_H

#include "../core/modules.h"

// The id of the module that an address of the program lies in; `base` is where its address 0 lies in
// this process.
uint32_t memory_map_module(struct pm_modules *modules, uint64_t address, uint64_t base);

#endif
