// SPDX-License-Identifier: GPL-2.0-or-later
// Executions of blocks are counted by one call at the block's beginning, but for three kinds of
// instructions, which get a call of their own or are looked at twice:
//
// - A REP-prefixed string instruction ends its translation block, is executed once for each time it is
//   repeated and perhaps once more, and counts once: it goes on where nothing was counted since.
// - An x86 instruction that reaches into the next page is reported as the last one of a block that ends
//   before it. Calls that belong to it alone are never made there.
// - An instruction that QEMU cannot execute within its block leaves that, and is executed again as a block
//   of its own: an atomic one that has to have the machine for itself, a store that changes the block's code.
//   Such a block lies within the one before, which ended there. Other blocks of one instruction end with a
//   branch, or at a page's end, or come from elsewhere.
#include "translation.h"

#include "guest.h"
#include "memory.h"
#include "memory_map.h"
#include "options.h"
#include "recorder.h"

enum { PAGE = 4096, MOST_INSTRUCTIONS = 1 << 12, LONGEST = 15 };

static int generation;

void translation_begin(int current)
{
    generation = current;
}

static size_t code_of(const struct qemu_plugin_insn *insn, uint8_t *code)
{
    size_t size = qemu_plugin_insn_size(insn);
    size = size < LONGEST ? size : LONGEST;
    uintptr_t given = qemu_plugin_insn_data(insn, code, size);
    if (generation < 3)
        for (size_t i = 0; i < size; i++)
            code[i] = ((const uint8_t *)given)[i];
    return size;
}

// The block of instructions [from, to); under the lock.
static counted block_of(const struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    uint8_t lengths[MOST_INSTRUCTIONS];
    for (size_t i = from; i < to; i++)
        lengths[i - from] = (uint8_t)qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i));
    uint64_t start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from));
    struct pm_collector *collector = recorder_collector();
    uint32_t module = memory_map_module(&collector->modules, start, memory_base);
    uint64_t offset = start - collector->modules.list.items[module].start;
    return counted_block(
        pm_collector_block(collector, module, offset, lengths, (uint32_t)(to - from)),
        (uint32_t)(to - from));
}

// ---------------------------------------------------------------- events

static uint32_t site_of(const struct passed *passed, enum pm_site_kind kind, const struct branch *branch)
{
    struct pm_modules *modules = &recorder_collector()->modules;
    struct pm_site site = {.kind = kind,
                           .module = memory_map_module(modules, passed->branch, memory_base)};
    site.offset = passed->branch - modules->list.items[site.module].start;
    if (branch->has_target) {
        uint32_t module = memory_map_module(modules, branch->target, memory_base);
        site.target_module = module + 1;
        site.target = branch->target - modules->list.items[module].start;
    }
    return pm_collector_site(recorder_collector(), site);
}

// What happens at the end of the block, if anything does.
static void see_event(struct passed *passed, const struct branch *branch)
{
    enum pm_site_kind kind = PM_SITE_LOOP;
    passed->target = branch->target;
    switch (branch->kind) {
    case BRANCH_NONE:
        return;
    case BRANCH_JUMP:
        if (branch->target > passed->branch)
            return;
        passed->event = EVENT_AT_TARGET;
        break;
    case BRANCH_INDIRECT:
        kind = PM_SITE_INDIRECT;
        passed->event = EVENT_BACKWARDS;
        break;
    case BRANCH_CALL:
    case BRANCH_RETURN:
        kind = branch->kind == BRANCH_CALL ? PM_SITE_CALL : PM_SITE_RETURN;
        passed->event = EVENT;
        break;
    }
    passed->site = site_of(passed, kind, branch);
}

// As long as the program runs: translations come and go, and there are as many as there is code.
static const struct passed *kept(const struct passed *passed)
{
    static PM_VECTOR(struct passed *) all; // by block
    const struct pm_engine *engine = recorder_collector()->engine;
    size_t id = (uint32_t)passed->block;
    while (all.used <= id)
        PM_PUSH(engine, &all, NULL);
    struct passed *known = all.items[id];
    if (known && known->start == passed->start && known->event == passed->event
        && known->site == passed->site && known->target == passed->target)
        return known;
    struct passed *copy = engine->resize(NULL, sizeof *copy);
    *copy = *passed;
    return all.items[id] = copy;
}

static const struct passed *passed_of(const struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    uint8_t code[LONGEST];
    const struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, to - 1);
    size_t size = code_of(last, code);
    recorder_lock();
    struct passed passed = {.block = block_of(tb, from, to),
                            .start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from)),
                            .branch = qemu_plugin_insn_vaddr(last)};
    passed.after = passed.branch + size;
    if (options.followed) {
        struct branch branch = guest->branch(code, size, passed.branch);
        see_event(&passed, &branch);
    }
    const struct passed *found = kept(&passed);
    recorder_unlock();
    return found;
}

// ---------------------------------------------------------------- when they are executed

// Each is given a block, or, where events are followed, a struct passed.

static void on_block(unsigned vcpu, void *block)
{
    recorder_count(&slots[vcpu], (counted)block);
}

static void on_passing(unsigned vcpu, void *data)
{
    const struct passed *passed = data;
    recorder_follow(&slots[vcpu], passed);
    recorder_count(&slots[vcpu], passed->block);
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// The first that is executed when a handler has returned, and among the last that were before.
static bool goes_on_after_signal(const struct slot *slot, counted block)
{
    if (!slot->resumed || slot->resumed_left != slot->left)
        return false;
    for (size_t i = 0; i < LENGTH(slot->repeated); i++)
        if (slot->repeated[i] == block)
            return true;
    return false;
}

static bool goes_on(const struct slot *slot, counted block)
{
    return (slot->repeating == block && slot->repeating_left == slot->left)
           || goes_on_after_signal(slot, block);
}

static void count_repeated(struct slot *slot, counted block)
{
    recorder_count(slot, block);
    slot->repeated[slot->next_repeated++ % LENGTH(slot->repeated)] = block;
}

static void remember_repeated(struct slot *slot, counted block)
{
    slot->repeating = block;
    slot->repeating_left = slot->left;
}

static void on_repeated(unsigned vcpu, void *block)
{
    struct slot *slot = &slots[vcpu];
    if (!goes_on(slot, (counted)block))
        count_repeated(slot, (counted)block);
    remember_repeated(slot, (counted)block);
}

static void on_passing_repeated(unsigned vcpu, void *data)
{
    const struct passed *passed = data;
    struct slot *slot = &slots[vcpu];
    if (!goes_on(slot, passed->block)) {
        recorder_follow(slot, passed);
        count_repeated(slot, passed->block);
    }
    remember_repeated(slot, passed->block);
}

static void on_single(unsigned vcpu, void *data)
{
    const struct passed *passed = data;
    struct slot *slot = &slots[vcpu];
    if (recorder_undo_at(slot, passed->start))
        slot->before = NULL;
    if (options.followed)
        recorder_follow(slot, passed);
    recorder_count(slot, passed->block);
}

// ---------------------------------------------------------------- when they are translated

// Of one that does, QEMU tells as many bytes as it had read, so that its length says nothing.
static bool may_straddle(const struct qemu_plugin_insn *insn)
{
    return qemu_plugin_insn_vaddr(insn) % PAGE + LONGEST > PAGE;
}

static void *data_of(const struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    if (options.followed)
        return (void *)(uintptr_t)passed_of(tb, from, to);
    recorder_lock();
    counted block = block_of(tb, from, to);
    recorder_unlock();
    return (void *)block;
}

void translation_translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(tb);
    if (recorder_ended() || !count || count >= MOST_INSTRUCTIONS)
        return;
    uint8_t code[LONGEST];
    struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, count - 1);
    const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
    memory_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(first) - qemu_plugin_insn_vaddr(first);
    size_t size = code_of(last, code);

    on_execution usual = options.followed ? on_passing : on_block;
    on_execution own = NULL; // of the last instruction
    if (guest->repeats && guest_is_repeated(code, size))
        own = options.followed ? on_passing_repeated : on_repeated;
    else if (guest->straddles && count > 1 && may_straddle(last))
        own = usual;
    else if (count == 1 && guest->branch(code, size, 0).kind == BRANCH_NONE) {
        const struct passed *single = passed_of(tb, 0, 1);
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_single, CALLBACK_NO_REGISTERS,
                                             (void *)(uintptr_t)single);
        return;
    }
    size_t together = own ? count - 1 : count;
    if (together)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, usual, CALLBACK_NO_REGISTERS,
                                             data_of(tb, 0, together));
    if (own)
        qemu_plugin_register_vcpu_insn_exec_cb(last, own, CALLBACK_NO_REGISTERS,
                                               data_of(tb, count - 1, count));
}
