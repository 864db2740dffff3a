// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of this process: QEMU's words, then `-0 NAME PROGRAM ARGUMENT ...`.
#ifndef PHASEMARK_QEMU_COMMAND_H
#define PHASEMARK_QEMU_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct command {
    char **words; // ends with NULL
    size_t count;
    size_t name; // which of them is the program's argv[0]; its path follows, and its arguments
};

extern struct command command;

// The text of a file, allocated; NULL: it cannot be read, or there is nothing in it.
char *command_file(const char *path, size_t *size);

// Reads it; `before` words come before `-0`. False: it is not what phasemark writes.
bool command_read(size_t before);

#endif
