// SPDX-License-Identifier: GPL-2.0-or-later
// The first line of a script, read as the kernel reads it.
#ifndef PHASEMARK_SCRIPT_H
#define PHASEMARK_SCRIPT_H

#include "pub_tool_basics.h"

enum {
    SCRIPT_MOST = 5,   // that interpret one another, at most
    SCRIPT_HEAD = 256, // bytes of a file that the kernel looks at
};

// The words of it: an interpreter, and all that follows as one argument or NULL. `head` is what the file begins
// with, room for SCRIPT_HEAD + 1 characters, and is cut up. False: the kernel takes it for no script.
Bool script_words(HChar *head, SizeT size, HChar **interpreter, HChar **argument);

#endif
