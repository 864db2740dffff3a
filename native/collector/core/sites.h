// SPDX-License-Identifier: GPL-2.0-or-later
// Where events happen: branch instructions, each with an id however often an engine translates it.
#ifndef PHASEMARK_SITES_H
#define PHASEMARK_SITES_H

#include "modules.h"

enum pm_site_kind { PM_SITE_LOOP, PM_SITE_INDIRECT, PM_SITE_CALL, PM_SITE_RETURN };

struct pm_site {
    uint64_t offset; // of the branch instruction, from the module's start
    uint64_t target; // where it leads, from the start of that module
    uint32_t module;
    uint32_t target_module; // its id plus one; 0: it does not lead to one place
    enum pm_site_kind kind;
    bool written; // its record is in the stream
};

struct pm_sites {
    const struct pm_engine *engine;
    struct pm_modules *modules;
    PM_VECTOR(struct pm_site) list;
    uint32_t *slots;   // open addressing: id + 1, 0 is free
    size_t slot_count; // a power of two
};

// The id of the site, new or known: module, offset and kind tell sites apart.
uint32_t pm_sites_intern(struct pm_sites *sites, struct pm_site site);

// Writes the site's record, and its modules' before, unless the stream has them.
void pm_sites_write(struct pm_sites *sites, uint32_t id);

// A new stream has no records yet.
void pm_sites_rewrite(struct pm_sites *sites);

#endif
