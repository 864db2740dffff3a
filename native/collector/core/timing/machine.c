// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "cores.h"

#define EVENT_NAME(name) #name,
const char *const pm_event_names[PM_EVENTS] = {PM_EVENT_NAMES(EVENT_NAME)};

void pm_events_complete(struct pm_events *events)
{
    events->l1i_references = events->instructions;
    events->l1d_references = events->dtlb_references = events->loads + events->stores;
}

#define COUNT(machine, event) ((machine)->running->events.event++)

static void spend(struct pm_machine *machine, uint64_t cycles)
{
    machine->running->events.cycles += cycles * machine->width;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// ---------------------------------------------------------------- beyond the first level

static bool was_seen(const struct pm_machine *machine, uint64_t address)
{
    return machine->seen.lines && pm_cache_holds(&machine->seen, address >> machine->seen.shift);
}

// Cycles until what the first level lacks has come.
static uint64_t fetch_from_beyond(struct pm_machine *machine, uint64_t address, uint32_t size)
{
    if (machine->owners)
        pm_cores_share(machine, address, size);
    COUNT(machine, l2_references);
    if (pm_cache_access(machine->running->core->l2, address, size))
        return machine->l2_latency;
    if (!machine->has_l3 && was_seen(machine, address))
        return machine->l2_latency;
    COUNT(machine, l2_misses);
    if (!machine->has_l3)
        return machine->memory;
    COUNT(machine, l3_references);
    if (pm_cache_access(&machine->l3, address, size) || was_seen(machine, address))
        return machine->l3_latency;
    COUNT(machine, l3_misses);
    return machine->memory;
}

// ---------------------------------------------------------------- instructions

// Nothing is dispatched until the fetch is done.
static void fetch_line(struct pm_machine *machine, struct pm_core *core, uint64_t line)
{
    uint64_t address = line << core->l1i.shift;
    uint64_t page = address >> core->itlb.shift;
    COUNT(machine, itlb_references);
    if (page + 1 != core->fetch_page && !pm_cache_touch(&core->itlb, page)) {
        COUNT(machine, itlb_misses);
        spend(machine, machine->itlb_penalty);
    }
    core->fetch_page = page + 1;
    if (!pm_cache_touch(&core->l1i, line)) {
        COUNT(machine, l1i_misses);
        spend(machine, fetch_from_beyond(machine, address, 1u << core->l1i.shift));
        core->event_at = core->position;
    }
}

static void fetch(struct pm_machine *machine, struct pm_core *core, const struct pm_timed_block *block)
{
    uint64_t line = block->address >> core->l1i.shift;
    uint64_t last = (block->next - 1) >> core->l1i.shift;
    for (; line <= last; line++) {
        if (line + 1 != core->fetch_line)
            fetch_line(machine, core, line);
        core->fetch_line = line + 1;
    }
}

// ---------------------------------------------------------------- data

// A load keeps the window from emptying. What is longer than filling the window takes shows,
// unless an earlier load, less than a window ago, hides it.
static void wait_for(struct pm_machine *machine, struct pm_core *core, uint64_t latency, uint64_t position)
{
    uint64_t filling = machine->window / machine->width;
    if (latency <= filling)
        return;
    if (core->load_left && position - core->load_at < machine->window) {
        if (latency > core->load_left) {
            spend(machine, latency - core->load_left);
            core->load_left = latency;
        }
        return;
    }
    spend(machine, latency - filling);
    core->load_at = core->event_at = position;
    core->load_left = latency;
}

static __attribute__((noinline)) void search_data(struct pm_machine *machine, struct pm_core *core, uint64_t address,
                                                  uint32_t size, bool store, uint64_t position)
{
    uint64_t latency = 0;
    if (!pm_cache_access(&core->dtlb, address, size)) {
        COUNT(machine, dtlb_misses);
        latency += machine->dtlb_penalty;
    }
    if (!pm_cache_access(&core->l1d, address, size)) {
        COUNT(machine, l1d_misses);
        latency += fetch_from_beyond(machine, address, size);
    }
    if (latency && !store)
        wait_for(machine, core, latency, position);
}

static inline void access_data(struct pm_machine *machine, struct pm_core *core, uint64_t address, uint32_t size,
                               bool store, uint64_t position)
{
    if (store && machine->owners)
        pm_cores_own(machine, address, size);
    uint64_t line = address >> core->l1d.shift;
    bool recent = (address + size - 1) >> core->l1d.shift == line
                  && pm_cache_is_recent(&core->l1d, line)
                  && pm_cache_is_recent(&core->dtlb, address >> core->dtlb.shift);
    if (!recent)
        search_data(machine, core, address, size, store, position);
}

void pm_machine_access(struct pm_machine *machine, uint64_t address, uint32_t size, bool store)
{
    struct pm_core *core = machine->running->core;
    struct pm_events *events = &machine->running->events;
    events->stores += store;
    events->loads += !store;
    access_data(machine, core, address, size, store, core->position);
}

// ---------------------------------------------------------------- branches

static uint64_t root(uint64_t square)
{
    uint64_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

// The front end is filled anew, once the branch is known: the window it waits in holds what was
// dispatched since it was last empty, and takes about the root of that to drain.
static void mispredict(struct pm_machine *machine, struct pm_core *core)
{
    COUNT(machine, branch_mispredictions);
    uint64_t waiting = least(core->position - core->event_at, machine->window);
    spend(machine, machine->frontend + root(waiting));
    core->event_at = core->position;
    core->load_left = 0;
}

static void branch(struct pm_machine *machine, struct pm_core *core, const struct pm_timed_block *block,
                   uint64_t operand)
{
    struct pm_predictor *predictor = &core->predictor;
    struct pm_return_stack *stack = &machine->running->stack;
    bool right = true;
    if (block->ending == PM_FALLS_THROUGH)
        return;
    COUNT(machine, branches);
    switch (block->ending) {
    case PM_CONDITIONAL:
        COUNT(machine, conditional_branches);
        right = pm_predict_conditional(predictor, block->branch, operand != 0);
        machine->running->events.conditional_mispredictions += !right;
        break;
    case PM_INDIRECT_JUMP:
    case PM_INDIRECT_CALL:
        COUNT(machine, indirect_branches);
        right = pm_predict_target(predictor, block->branch, operand);
        machine->running->events.indirect_mispredictions += !right;
        break;
    case PM_RETURN:
        COUNT(machine, returns);
        right = pm_predict_return(predictor, stack, operand);
        machine->running->events.return_mispredictions += !right;
        break;
    default:
        break;
    }
    if (block->ending == PM_CALL || block->ending == PM_INDIRECT_CALL)
        pm_predict_call(predictor, stack, block->next);
    if (!right)
        mispredict(machine, core);
}

// ---------------------------------------------------------------- blocks

void pm_machine_block(struct pm_machine *machine, const struct pm_timed_block *block,
                      const uint64_t *operands, uint64_t executed)
{
    struct pm_core *core = machine->running->core;
    struct pm_events *events = &machine->running->events;
    events->instructions += executed;
    events->cycles += executed;
    events->stores += block->stores;
    events->loads += block->accesses - block->stores;
    fetch(machine, core, block);
    for (uint32_t i = 0; i < block->accesses; i++) {
        const struct pm_access *access = &block->access[i];
        if (operands[i])
            access_data(machine, core, operands[i], access->size, access->store,
                        core->position + access->at);
        else
            *(access->store ? &events->stores : &events->loads) -= 1;
    }
    core->position += executed;
    branch(machine, core, block, operands[block->accesses]);
}

static void warm(struct pm_machine *machine, struct pm_cache *tlb, uint64_t address, uint32_t size)
{
    pm_cache_access(tlb, address, size);
    pm_cache_access(machine->has_l3 ? &machine->l3 : &machine->l2, address, size);
    if (machine->seen.lines)
        pm_cache_access(&machine->seen, address, size);
}

void pm_machine_warm(struct pm_machine *machine, const struct pm_timed_block *block,
                     const uint64_t *operands)
{
    struct pm_core *core = machine->running->core;
    core->fetch_page = 0;
    warm(machine, &core->itlb, block->address, (uint32_t)(block->next - block->address));
    for (uint32_t i = 0; i < block->accesses; i++)
        if (operands[i])
            warm(machine, &core->dtlb, operands[i], block->access[i].size);
}
