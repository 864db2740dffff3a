// SPDX-License-Identifier: GPL-2.0-or-later
// What a user is to know reaches phasemark as lines of a file in the output folder, and not the program's
// standard error: `KIND PID SENTENCE`.
#ifndef PHASEMARK_SAYING_H
#define PHASEMARK_SAYING_H

#include "pub_tool_basics.h"

#define SAY_TOLD "told"             // the sentence, and no more
#define SAY_LEFT "left"             // the process goes on as a program that is not recorded
#define SAY_UNRECORDED "unrecorded" // it runs, and is not recorded
#define SAY_STOPPED "stopped"       // the engine had to end it

// From now on Valgrind's own words go to a file in the output folder, not to standard error.
void saying_begin(void);

void say(const HChar *kind, const HChar *format, ...) __attribute__((format(printf, 2, 3)));

// The same, only the first time in this process image.
#define SAY_ONCE(kind, ...)                                                                        \
    do {                                                                                           \
        static Bool said;                                                                          \
        if (!said)                                                                                 \
            say(kind, __VA_ARGS__);                                                                \
        said = True;                                                                               \
    } while (0)

// Called when the engine has to end the process; between system calls of the program, or not.
extern void (*saying_last)(Bool between);

#endif
