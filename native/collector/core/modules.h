// SPDX-License-Identifier: GPL-2.0-or-later
// The ranges of mapped memory that code was executed from.
#ifndef PHASEMARK_MODULES_H
#define PHASEMARK_MODULES_H

#include "stream.h"

enum pm_module_kind { PM_MODULE_FILE, PM_MODULE_ANONYMOUS, PM_MODULE_KERNEL };

struct pm_module {
    uint64_t start, length, file_offset;
    enum pm_module_kind kind;
    const char *name;
    bool mapped;  // false once its range was unmapped or mapped anew: ids are never reused
    bool written; // its record is in the stream
};

struct pm_modules {
    const struct pm_engine *engine;
    struct pm_stream *stream;
    PM_VECTOR(struct pm_module) list;
    size_t recent; // the module found last
};

// The id of the mapped module that holds an address, or -1.
int64_t pm_modules_find(struct pm_modules *modules, uint64_t address);

// The id of a new mapped module; its name is copied.
uint32_t pm_modules_add(struct pm_modules *modules, struct pm_module module);

// Writes the record unless the stream has it.
void pm_modules_write(struct pm_modules *modules, uint32_t id);

// The range no longer holds what it held.
void pm_modules_unmap(struct pm_modules *modules, uint64_t start, uint64_t length);

// A new stream has no records yet.
void pm_modules_rewrite(struct pm_modules *modules);

#endif
