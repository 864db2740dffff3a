// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel would say of an exec. The engine looks less closely, and ends the process where the exec
// then fails.
#ifndef PHASEMARK_EXECUTABLE_H
#define PHASEMARK_EXECUTABLE_H

#include "pub_tool_basics.h"

// The error of executing a file that exists and may be executed; 0 if there is none to be seen.
UWord executable_error(const HChar *path, UWord argv, UWord envp);

#endif
