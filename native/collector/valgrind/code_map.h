// SPDX-License-Identifier: GPL-2.0-or-later
// From Valgrind's map of the address space to modules.
#ifndef PHASEMARK_CODE_MAP_H
#define PHASEMARK_CODE_MAP_H

#include "../core/modules.h"
#include "pub_tool_basics.h"

// The module that holds an address now.
UInt code_map_module(struct pm_modules *modules, Addr address);

#endif
