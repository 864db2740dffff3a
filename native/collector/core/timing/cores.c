// SPDX-License-Identifier: GPL-2.0-or-later
#include "cores.h"

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
    if (!core && machine->cores.used < PM_MOST_CORES)
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

// Up to so many cores are all searched sooner than it is noted which of them may have a line.
enum { FEW_CORES = 8 };

// The lowest bits of an owner's word are its number, plus one, or 0 where others may have a copy since; the
// other bits are the line, plus one.
enum { NUMBER_BITS = 16, NUMBER = (1 << NUMBER_BITS) - 1 };

static size_t place_of(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15) >> (64 - OWNERS_LOG);
}

static void take(struct pm_core *from, uint64_t address, uint64_t size)
{
    if (!from->built)
        return;
    pm_cache_drop(&from->l1d, address, size);
    if (from->machine->private_l2)
        pm_cache_drop(&from->own_l2, address, size);
}

// `holders` says which cores may have the line; NULL: any may.
static void take_from_others(struct pm_machine *machine, const struct pm_core *owner,
                             const struct pm_holders *holders, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < machine->cores.used; i++) {
        uint64_t word = holders ? holders->bits[i / 64] >> i % 64 : 1;
        if (!word)
            i |= 63; // nor any other core of this word
        else if ((word & 1) && machine->cores.items[i] != owner)
            take(machine->cores.items[i], address, size);
    }
}

static void hold(struct pm_holders *holders, uint32_t number)
{
    holders->bits[number / 64] |= UINT64_C(1) << number % 64;
}

void pm_cores_own(struct pm_core *owner, uint64_t address, uint32_t size)
{
    struct pm_machine *machine = owner->machine;
    uint32_t shift = machine->owned_shift;
    uint64_t last = (address + size - 1) >> shift;
    for (uint64_t line = address >> shift; line <= last; line++) {
        size_t place = place_of(line);
        uint64_t word = (line + 1) << NUMBER_BITS | (owner->number + 1);
        if (machine->owners[place] == word)
            continue;
        bool known = machine->built > FEW_CORES && machine->owners[place] >> NUMBER_BITS == line + 1;
        struct pm_holders *holders = &machine->holders[place];
        take_from_others(machine, owner, known ? holders : NULL, line << shift, 1ull << shift);
        if (machine->built > FEW_CORES) {
            *holders = (struct pm_holders){0};
            hold(holders, owner->number);
        }
        machine->owners[place] = word;
    }
}

void pm_cores_share(struct pm_core *core, uint64_t address, uint32_t size)
{
    struct pm_machine *machine = core->machine;
    uint32_t shift = machine->owned_shift;
    uint64_t last = (address + size - 1) >> shift;
    for (uint64_t line = address >> shift; line <= last; line++) {
        size_t place = place_of(line);
        uint64_t word = machine->owners[place];
        if (word >> NUMBER_BITS != line + 1 || (word & NUMBER) == core->number + 1)
            continue;
        machine->owners[place] = word & ~(uint64_t)NUMBER;
        if (machine->built > FEW_CORES)
            hold(&machine->holders[place], core->number);
    }
}

void pm_cores_forget(struct pm_machine *machine)
{
    for (size_t i = 0; machine->owners && i < (size_t)1 << OWNERS_LOG; i++)
        machine->owners[i] = 0;
}

static void build_owners(struct pm_machine *machine)
{
    size_t places = (size_t)1 << OWNERS_LOG;
    machine->owners = machine->engine->resize(NULL, places * sizeof *machine->owners);
    machine->holders = machine->engine->resize(NULL, places * sizeof *machine->holders);
    pm_cores_forget(machine);
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
    if (machine->built == FEW_CORES + 1)
        pm_cores_forget(machine); // of whom it was not noted who has a copy
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
    if (machine->owners) {
        machine->engine->release(machine->owners);
        machine->engine->release(machine->holders);
    }
    machine->owners = NULL;
    machine->built = 0;
}

void pm_machine_restart(struct pm_machine *machine)
{
    release_cores(machine);
    pm_cache_empty(&machine->l2);
    pm_cache_empty(&machine->l3);
    machine->uses.since = machine->uses.now;
}

void pm_machine_release(struct pm_machine *machine)
{
    release_cores(machine);
    pm_cache_release(&machine->l2, machine->engine);
    pm_cache_release(&machine->l3, machine->engine);
}
