// SPDX-License-Identifier: GPL-2.0-or-later
// The file of one process image: <pid>.<serial>.raw in the output folder.
#ifndef PHASEMARK_OUTPUT_H
#define PHASEMARK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "pub_tool_basics.h"

// False, with the reason in output_error(): it could not be created.
Bool output_open(void);

// Lets go of the file without another byte: the child of a fork has its own.
void output_close(void);

// Whole records in, whole records on disk: what cannot be written completely is taken back.
// Returns false from the first failure on.
bool output_write(const void *bytes, size_t size);

// What went wrong, or NULL.
const HChar *output_error(void);

#endif
