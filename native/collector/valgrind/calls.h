// SPDX-License-Identifier: GPL-2.0-or-later
// System calls of the program that the core would not carry out as the kernel does: they are ours, and what
// cannot be done is said.
#ifndef PHASEMARK_CALLS_H
#define PHASEMARK_CALLS_H

#include "pub_tool_basics.h"

// Called before a call by which a process may lose the right to write to the output folder.
void calls_before(UInt number);

// After an mmap of the program that failed.
void calls_mmap_failed(UWord size, UWord flags, UWord error);

#endif
