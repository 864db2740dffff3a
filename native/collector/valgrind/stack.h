// SPDX-License-Identifier: GPL-2.0-or-later
// The program's first stack, as the kernel would have made it: what Valgrind and phasemark added to its
// environment is taken out before anything runs, and argv[0] is what the program's parent said.
#ifndef PHASEMARK_STACK_H
#define PHASEMARK_STACK_H

#include "pub_tool_basics.h"

// How an exec hands on argv[0] where that is not the path.
#define STACK_ARGV0 "PHASEMARK_ARGV0="

void stack_clean(void);

// The program's own.
HChar **stack_arguments(void);

// Where the program has a list without entries, in memory of its own; 0: it has none any more.
UWord stack_empty_list(void);

// A new descriptor of a file with what /proc/self/environ is to say; a negative error number if there is
// none.
Int stack_environment_file(void);

#endif
