// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel would say of an exec. The engine looks less closely, and ends the process where the exec
// then fails.
#ifndef PHASEMARK_EXECUTABLE_H
#define PHASEMARK_EXECUTABLE_H

#include "pub_tool_basics.h"

enum {
    EXECUTABLE_SCRIPTS = 5, // that interpret one another, at most
    EXECUTABLE_HEAD = 256,  // bytes of a file that the kernel looks at
};

// The words of a script's first line: an interpreter, and all that follows as one argument or NULL.
// `head` is what the file begins with, NUL behind it, and is cut up. False: the kernel takes it for none.
Bool executable_script(HChar *head, SizeT size, HChar **interpreter, HChar **argument);

// The error of executing a file that exists and may be executed; 0 if there is none to be seen.
UWord executable_error(const HChar *path, UWord argv, UWord envp);

#endif
