// SPDX-License-Identifier: GPL-2.0-or-later
// The file of one process image, <pid>.<serial>.raw in the output folder, and the notes beside it.
#ifndef PHASEMARK_QEMU_OUTPUT_H
#define PHASEMARK_QEMU_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#define SAY_TOLD "told"             // the sentence, and no more
#define SAY_LEFT "left"             // the process goes on as a program that is not recorded
#define SAY_UNRECORDED "unrecorded" // it runs, and is not recorded
#define SAY_STOPPED "stopped"       // the engine had to end it

// False, with the reason in output_error(): it could not be created.
bool output_open(void);

// Whole records in, whole records on disk: what cannot be written completely is taken back.
bool output_write(const void *bytes, size_t size);

// What went wrong, or NULL.
const char *output_error(void);

// A line of the notes.
void say(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
