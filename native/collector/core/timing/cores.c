// SPDX-License-Identifier: GPL-2.0-or-later
#include "cores.h"

// More threads at once share cores: 256 hold 43 MB where each has a second level of 512K.
enum { MOST_CORES = 256 };

// ---------------------------------------------------------------- whose they are

static struct pm_core *first_with(const struct pm_machine *machine, uint32_t threads)
{
    for (size_t i = 0; i < machine->cores.used; i++)
        if (machine->cores.items[i]->threads == threads)
            return machine->cores.items[i];
    return NULL;
}

static struct pm_core *another(struct pm_machine *machine)
{
    struct pm_core *core = machine->engine->resize(NULL, sizeof *core);
    *core = machine->blank;
    core->machine = machine;
    core->several = machine->owners != NULL;
    core->number = (uint32_t)machine->cores.used;
    PM_PUSH(machine->engine, &machine->cores, core);
    return core;
}

struct pm_core *pm_machine_take_core(struct pm_machine *machine)
{
    struct pm_core *core = first_with(machine, 0);
    if (!core && machine->cores.used < MOST_CORES)
        core = another(machine);
    for (uint32_t threads = 1; !core; threads++)
        core = first_with(machine, threads);
    if (!core->threads++) {
        core->fetch_line = core->fetch_page = 0;
        core->event_at = core->position;
        core->load_left = 0;
    }
    return core;
}

void pm_machine_leave_core(struct pm_core *core)
{
    core->threads--;
}

// ---------------------------------------------------------------- owners

enum { OWNERS_LOG = 14 };

// An owner's number, plus one, is in the lowest bits of its word, and the line in the others.
enum { NUMBER_BITS = 16, NUMBER = (1 << NUMBER_BITS) - 1 };

static uint64_t *owner_of(const struct pm_machine *machine, uint64_t line)
{
    return &machine->owners[line * UINT64_C(0x9E3779B97F4A7C15) >> (64 - OWNERS_LOG)];
}

static void take_from_others(struct pm_machine *machine, const struct pm_core *owner,
                             uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < machine->cores.used; i++) {
        struct pm_core *other = machine->cores.items[i];
        if (other == owner || !other->built)
            continue;
        pm_cache_drop(&other->l1d, address, size);
        if (machine->private_l2)
            pm_cache_drop(&other->own_l2, address, size);
    }
}

void pm_cores_own(struct pm_core *owner, uint64_t address, uint32_t size)
{
    struct pm_machine *machine = owner->machine;
    uint32_t shift = machine->owned_shift;
    uint64_t last = (address + size - 1) >> shift;
    for (uint64_t line = address >> shift; line <= last; line++) {
        uint64_t word = line << NUMBER_BITS | (owner->number + 1);
        uint64_t *known = owner_of(machine, line);
        if (*known == word)
            continue;
        take_from_others(machine, owner, line << shift, 1ull << shift);
        *known = word;
    }
}

void pm_cores_share(struct pm_core *core, uint64_t address, uint32_t size)
{
    const struct pm_machine *machine = core->machine;
    uint32_t shift = machine->owned_shift;
    uint64_t own = core->number + 1;
    uint64_t last = (address + size - 1) >> shift;
    for (uint64_t line = address >> shift; line <= last; line++) {
        uint64_t *known = owner_of(machine, line);
        if (*known >> NUMBER_BITS == line && (*known & NUMBER) != own)
            *known = 0;
    }
}

static void build_owners(struct pm_machine *machine)
{
    size_t bytes = sizeof *machine->owners << OWNERS_LOG;
    machine->owners = machine->engine->resize(NULL, bytes);
    for (size_t i = 0; i < (size_t)1 << OWNERS_LOG; i++)
        machine->owners[i] = 0;
    for (size_t i = 0; i < machine->cores.used; i++)
        machine->cores.items[i]->several = true;
}

// ---------------------------------------------------------------- memory

void pm_machine_build_core(struct pm_core *core)
{
    struct pm_machine *machine = core->machine;
    const struct pm_engine *engine = machine->engine;
    if (core->built)
        return;
    core->built = true;
    core->l2 = machine->private_l2 ? &core->own_l2 : &machine->l2;
    struct pm_cache *caches[] = {&core->l1i, &core->l1d, &core->itlb, &core->dtlb};
    for (unsigned i = 0; i < sizeof caches / sizeof *caches; i++)
        pm_cache_build(caches[i], engine);
    if (machine->private_l2)
        pm_cache_build(&core->own_l2, engine);
    pm_predictor_build(&core->predictor, engine);
    if (++machine->built == 2)
        build_owners(machine);
}

static void release_core(struct pm_core *core, const struct pm_engine *engine)
{
    struct pm_cache *caches[] = {&core->l1i, &core->l1d, &core->own_l2, &core->itlb, &core->dtlb};
    for (unsigned i = 0; i < sizeof caches / sizeof *caches; i++)
        pm_cache_release(caches[i], engine);
    pm_predictor_release(&core->predictor, engine);
    engine->release(core);
}

static void release_cores(struct pm_machine *machine)
{
    for (size_t i = 0; i < machine->cores.used; i++)
        release_core(machine->cores.items[i], machine->engine);
    PM_RELEASE(machine->engine, &machine->cores);
    if (machine->owners)
        machine->engine->release(machine->owners);
    machine->owners = NULL;
    machine->built = 0;
}

void pm_machine_restart(struct pm_machine *machine)
{
    release_cores(machine);
    pm_cache_empty(&machine->l2);
    pm_cache_empty(&machine->l3);
    pm_cache_empty(&machine->seen);
}

void pm_machine_release(struct pm_machine *machine)
{
    release_cores(machine);
    pm_cache_release(&machine->l2, machine->engine);
    pm_cache_release(&machine->l3, machine->engine);
    pm_cache_release(&machine->seen, machine->engine);
}
