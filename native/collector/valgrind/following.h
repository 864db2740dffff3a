// SPDX-License-Identifier: GPL-2.0-or-later
// From one program to the next: exec. What can be recorded is started under this tool, by its descriptor;
// what cannot is executed as it is, and why is said.
#ifndef PHASEMARK_FOLLOWING_H
#define PHASEMARK_FOLLOWING_H

#include "core.h"

// Whether this image is recorded; what it starts is not if it is not.
extern Bool (*following_recorded)(void);

// The program's own execve and execveat.
void following_execve(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status,
                      UWord *flags);
void following_execveat(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status,
                        UWord *flags);

// Lets go of what an exec by descriptor needed until now.
void following_begin(void);

// Executes the program that was about to begin here as it is; returns if that fails.
void following_without(void);

#endif
