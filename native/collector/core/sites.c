// SPDX-License-Identifier: GPL-2.0-or-later
#include "sites.h"

static size_t hash_of(const struct pm_site *site)
{
    uint64_t hash = site->offset << 2 | site->kind;
    hash = (hash ^ (uint64_t)site->module << 48) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static bool equal(const struct pm_site *a, const struct pm_site *b)
{
    return a->offset == b->offset && a->module == b->module && a->kind == b->kind;
}

// The slot that holds the site, or the free one where it belongs.
static uint32_t *slot_for(const struct pm_sites *sites, const struct pm_site *site)
{
    size_t mask = sites->slot_count - 1;
    size_t i = hash_of(site) & mask;
    while (sites->slots[i] && !equal(&sites->list.items[sites->slots[i] - 1], site))
        i = (i + 1) & mask;
    return &sites->slots[i];
}

static void grow_slots(struct pm_sites *sites)
{
    sites->slot_count = sites->slot_count ? 2 * sites->slot_count : 1 << 10;
    sites->slots = sites->engine->resize(sites->slots, sites->slot_count * sizeof *sites->slots);
    for (size_t i = 0; i < sites->slot_count; i++)
        sites->slots[i] = 0;
    for (size_t id = 0; id < sites->list.used; id++)
        *slot_for(sites, &sites->list.items[id]) = (uint32_t)id + 1;
}

// Code that was written anew may lead elsewhere than it did: then the site leads to no one place.
static void compare_targets(struct pm_site *known, const struct pm_site *site)
{
    if (known->target == site->target && known->target_module == site->target_module)
        return;
    known->written &= !known->target_module;
    known->target = known->target_module = 0;
}

uint32_t pm_sites_intern(struct pm_sites *sites, struct pm_site site)
{
    if (4 * (sites->list.used + 1) > 3 * sites->slot_count)
        grow_slots(sites);
    uint32_t *slot = slot_for(sites, &site);
    if (*slot) {
        compare_targets(&sites->list.items[*slot - 1], &site);
    } else {
        site.written = false;
        PM_PUSH(sites->engine, &sites->list, site);
        *slot = (uint32_t)sites->list.used;
    }
    return *slot - 1;
}

void pm_sites_write(struct pm_sites *sites, uint32_t id)
{
    struct pm_site *site = &sites->list.items[id];
    struct pm_stream *stream = sites->modules->stream;
    if (site->written)
        return;
    site->written = true;
    pm_modules_write(sites->modules, site->module);
    if (site->target_module)
        pm_modules_write(sites->modules, site->target_module - 1);
    pm_stream_begin(stream, 'J');
    pm_stream_varint(stream, id);
    pm_stream_varint(stream, site->module);
    pm_stream_varint(stream, site->offset);
    pm_stream_varint(stream, site->kind);
    pm_stream_varint(stream, site->target_module);
    pm_stream_varint(stream, site->target);
    pm_stream_end(stream);
}

void pm_sites_rewrite(struct pm_sites *sites)
{
    for (size_t i = 0; i < sites->list.used; i++)
        sites->list.items[i].written = false;
}
