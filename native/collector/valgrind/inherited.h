// SPDX-License-Identifier: GPL-2.0-or-later
// What one process image leaves to the next, and to children: open files, at numbers that the program neither
// sees nor closes, so that another user, another root folder or a folder that was removed stops nothing; and
// the limit of open files that the program believes in.
#ifndef PHASEMARK_INHERITED_H
#define PHASEMARK_INHERITED_H

#include "pub_tool_basics.h"

struct inherited {
    Int folder; // the output folder
    Int notes;  // a file in it, for what is to be said: lines are appended
    Int tool;   // this program
    ULong soft, hard; // the program's limit of open files
};

extern struct inherited inherited;

// Reads the option's value; False: it makes no sense.
Bool inherited_read(const HChar *text);

// The descriptors where the program cannot reach them, its limit as it was.
void inherited_begin(void);

// What ends the option of an image that another one executed: the launcher's first one has no such end.
#define INHERITED_EXEC "exec"

// Before an exec of this tool: the option for the next image, and room for its descriptors as there was
// for ours.
const HChar *inherited_option(void);
void inherited_make_room(void);

// Before an exec of a program that is not recorded: nothing of ours is left to it. And if that failed.
void inherited_hide(void);
void inherited_show(void);

// Opens a file in the output folder; a negative error number if that fails.
Int inherited_open(const HChar *name, Int flags);

// Who gives up rights is still to write to the output folder.
void inherited_open_up(void);

#endif
