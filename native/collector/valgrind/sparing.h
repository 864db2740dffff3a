// SPDX-License-Identifier: GPL-2.0-or-later
// What the core would do in every process image, and nobody needs: it reads symbols and debug information of all
// that is mapped, and makes records of all threads that there could be, which each fork copies. Why and how:
// docs/adr/0051.
#ifndef PHASEMARK_SPARING_H
#define PHASEMARK_SPARING_H

#include "pub_tool_basics.h"

// Called at each system call of the program, before it.
void sparing_call(void);

// Whether there may be one more thread.
Bool sparing_has_thread(void);

#endif
