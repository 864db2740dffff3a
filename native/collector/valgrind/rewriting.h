// SPDX-License-Identifier: GPL-2.0-or-later
// Code in mapped files is taken to stay as it is, which makes its translations cheap. A program that maps
// a file so that it can write and execute it (itself, or through another mapping) gets translations that look.
#ifndef PHASEMARK_REWRITING_H
#define PHASEMARK_REWRITING_H

#include "pub_tool_basics.h"

// After a successful mmap or mprotect of the program.
void rewriting_mapped(Addr start, SizeT length, UInt protection, UInt flags);
void rewriting_protected(Addr start, SizeT length, UInt protection);

#endif
