// SPDX-License-Identifier: GPL-2.0-or-later
// The program's memory, as far as it is there.
#ifndef PHASEMARK_QEMU_MEMORY_H
#define PHASEMARK_QEMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the program's address 0 lies in this process.
extern uint64_t memory_base;

// False: not all of it is there.
bool memory_read(uint64_t address, void *to, size_t size);

// The text that begins at an address, allocated; NULL: it does not end.
char *memory_text(uint64_t address);

#endif
