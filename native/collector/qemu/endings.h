// SPDX-License-Identifier: GPL-2.0-or-later
// However a process ends, what it executed is written: a thread of ours brings the file up to date once
// a second, and ends the image when a signal ends the process.
#ifndef PHASEMARK_QEMU_ENDINGS_H
#define PHASEMARK_QEMU_ENDINGS_H

// Once QEMU has set its own signal handlers up; also in the child of a fork.
void endings_begin(void);

// The program may have given signals that end it their default action.
void endings_watch(void);

#endif
