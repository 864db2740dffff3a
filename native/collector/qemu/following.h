// SPDX-License-Identifier: GPL-2.0-or-later
// A program that starts another: it is run under QEMU, too.
#ifndef PHASEMARK_QEMU_FOLLOWING_H
#define PHASEMARK_QEMU_FOLLOWING_H

#include <stdint.h>

// The program asks for an execve, or an execveat from an open folder. Does not return if the new program
// runs recorded; else QEMU does what it was asked for.
void following_exec(int folder, uint64_t path, uint64_t arguments, uint64_t environment, int flags);

#endif
