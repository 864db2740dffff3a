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

#define COUNT(core, event) ((core)->running->events.event++)

static void spend(struct pm_core *core, uint64_t cycles)
{
    core->running->events.cycles += cycles * core->machine->width;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// ---------------------------------------------------------------- beyond the first level

// Cycles until what the first level lacks has come.
static uint64_t fetch_from_beyond(struct pm_core *core, uint64_t address, uint32_t size)
{
    struct pm_machine *machine = core->machine;
    if (core->several)
        pm_cores_share(core, address, size);
    COUNT(core, l2_references);
    if (pm_cache_access(core->l2, address, size))
        return machine->l2_latency;
    COUNT(core, l2_misses);
    if (!machine->has_l3)
        return machine->memory;
    COUNT(core, l3_references);
    if (pm_cache_access(&machine->l3, address, size))
        return machine->l3_latency;
    COUNT(core, l3_misses);
    return machine->memory;
}

// ---------------------------------------------------------------- instructions

// Nothing is dispatched until the fetch is done.
static void fetch_line(struct pm_core *core, uint64_t line)
{
    uint64_t address = line << core->l1i.shift;
    uint64_t page = address >> core->itlb.shift;
    COUNT(core, itlb_references);
    if (page + 1 != core->fetch_page && !pm_cache_touch(&core->itlb, page)) {
        COUNT(core, itlb_misses);
        spend(core, core->machine->itlb_penalty);
    }
    core->fetch_page = page + 1;
    if (!pm_cache_touch(&core->l1i, line)) {
        COUNT(core, l1i_misses);
        spend(core, fetch_from_beyond(core, address, 1u << core->l1i.shift));
        core->event_at = core->position;
    }
}

static void fetch(struct pm_core *core, const struct pm_timed_block *block)
{
    uint64_t line = block->address >> core->l1i.shift;
    uint64_t last = (block->next - 1) >> core->l1i.shift;
    for (; line <= last; line++) {
        if (line + 1 != core->fetch_line)
            fetch_line(core, line);
        core->fetch_line = line + 1;
    }
}

// ---------------------------------------------------------------- data

// A load keeps the window from emptying. What is longer than filling the window takes shows,
// unless an earlier load, less than a window ago, hides it.
static void wait_for(struct pm_core *core, uint64_t latency, uint64_t position)
{
    uint64_t filling = core->machine->window / core->machine->width;
    if (latency <= filling)
        return;
    if (core->load_left && position - core->load_at < core->machine->window) {
        if (latency > core->load_left) {
            spend(core, latency - core->load_left);
            core->load_left = latency;
        }
        return;
    }
    spend(core, latency - filling);
    core->load_at = core->event_at = position;
    core->load_left = latency;
}

static __attribute__((noinline)) void search_data(struct pm_core *core, uint64_t address,
                                                  uint32_t size, bool store, uint64_t position)
{
    uint64_t latency = 0;
    if (!pm_cache_access(&core->dtlb, address, size)) {
        COUNT(core, dtlb_misses);
        latency += core->machine->dtlb_penalty;
    }
    if (!pm_cache_access(&core->l1d, address, size)) {
        COUNT(core, l1d_misses);
        latency += fetch_from_beyond(core, address, size);
    }
    if (latency && !store)
        wait_for(core, latency, position);
}

static inline void access_data(struct pm_core *core, uint64_t address,
                               uint32_t size, bool store, uint64_t position)
{
    if (store && core->several)
        pm_cores_own(core, address, size);
    uint64_t line = address >> core->l1d.shift;
    bool recent = (address + size - 1) >> core->l1d.shift == line
                  && pm_cache_is_recent(&core->l1d, line)
                  && pm_cache_is_recent(&core->dtlb, address >> core->dtlb.shift);
    if (!recent)
        search_data(core, address, size, store, position);
}

void pm_machine_access(struct pm_machine *machine, uint64_t address, uint32_t size, bool store)
{
    struct pm_core *core = machine->running;
    struct pm_events *events = &core->running->events;
    events->stores += store;
    events->loads += !store;
    access_data(core, address, size, store, core->position);
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
static void mispredict(struct pm_core *core)
{
    COUNT(core, branch_mispredictions);
    uint64_t waiting = least(core->position - core->event_at, core->machine->window);
    spend(core, core->machine->frontend + root(waiting));
    core->event_at = core->position;
    core->load_left = 0;
}

static void branch(struct pm_core *core, const struct pm_timed_block *block,
                   uint64_t operand)
{
    struct pm_predictor *predictor = &core->predictor;
    struct pm_return_stack *stack = &core->running->stack;
    bool right = true;
    if (block->ending == PM_FALLS_THROUGH)
        return;
    COUNT(core, branches);
    switch (block->ending) {
    case PM_CONDITIONAL:
        COUNT(core, conditional_branches);
        right = pm_predict_conditional(predictor, block->branch, operand != 0);
        core->running->events.conditional_mispredictions += !right;
        break;
    case PM_INDIRECT_JUMP:
    case PM_INDIRECT_CALL:
        COUNT(core, indirect_branches);
        right = pm_predict_target(predictor, block->branch, operand);
        core->running->events.indirect_mispredictions += !right;
        break;
    case PM_RETURN:
        COUNT(core, returns);
        right = pm_predict_return(predictor, stack, operand);
        core->running->events.return_mispredictions += !right;
        break;
    default:
        break;
    }
    if (block->ending == PM_CALL || block->ending == PM_INDIRECT_CALL)
        pm_predict_call(predictor, stack, block->next);
    if (!right)
        mispredict(core);
}

// ---------------------------------------------------------------- blocks

void pm_machine_block(struct pm_machine *machine, const struct pm_timed_block *block,
                      const uint64_t *operands, uint64_t executed)
{
    struct pm_core *core = machine->running;
    struct pm_events *events = &core->running->events;
    events->instructions += executed;
    events->cycles += executed;
    events->stores += block->stores;
    events->loads += block->accesses - block->stores;
    fetch(core, block);
    for (uint32_t i = 0; i < block->accesses; i++) {
        const struct pm_access *access = &block->access[i];
        if (operands[i])
            access_data(core, operands[i], access->size, access->store,
                        core->position + access->at);
        else
            *(access->store ? &events->stores : &events->loads) -= 1;
    }
    core->position += executed;
    branch(core, block, operands[block->accesses]);
}

// ---------------------------------------------------------------- going on

static void wake(struct pm_core *core)
{
    struct pm_machine *machine = core->machine;
    bool several = machine->cores.used > 1;
    struct pm_filling fillings[] = {
        {.cache = &core->l1i, .code = true, .own = several},
        {.cache = &core->itlb, .code = true, .own = several},
        {.cache = &core->l1d, .data = true, .own = several},
        {.cache = &core->dtlb, .data = true, .own = several},
        {.cache = core->l2, .code = true, .data = true, .own = several && machine->private_l2},
        {.cache = &machine->l3, .code = true, .data = true},
    };
    size_t count = sizeof fillings / sizeof *fillings - !machine->has_l3;
    pm_uses_fill(&machine->uses, machine->engine, fillings, count, core->number);
    pm_cores_forget(machine);
    core->fetch_line = core->fetch_page = 0;
    core->event_at = core->position;
    core->load_left = 0;
}

// Of what others did meanwhile only the last level is told.
static void refresh(struct pm_core *core)
{
    struct pm_machine *machine = core->machine;
    struct pm_filling last = {.cache = machine->has_l3 ? &machine->l3 : &machine->l2, .code = true, .data = true};
    pm_uses_fill(&machine->uses, machine->engine, &last, 1, core->number);
}

// So few blocks, that ran while the model was off, the last level need not be told of. Tests tell of fewer.
#ifndef PM_FEW_BLOCKS
#define PM_FEW_BLOCKS (1 << 12)
#endif

void pm_machine_switch(struct pm_machine *machine, bool on)
{
    struct pm_core *core = machine->running;
    struct pm_uses *uses = &machine->uses;
    if (!uses->places)
        return;
    uint64_t now = uses->now >> PM_USE_CORE;
    if (!machine->on)
        machine->missed += now - machine->switched;
    if (on && !core->awake)
        wake(core);
    else if (on && machine->missed >= PM_FEW_BLOCKS)
        refresh(core);
    if (on)
        machine->missed = 0;
    core->awake = machine->on = on;
    machine->switched = now + 1;
    uses->now = (now + 1) << PM_USE_CORE | core->number;
}
