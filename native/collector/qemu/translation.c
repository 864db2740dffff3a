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

#include <stdlib.h>

#include "guest.h"
#include "memory.h"
#include "memory_map.h"
#include "output.h"
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

// The block of instructions [from, to).
static counted block_of(const struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    uint8_t lengths[MOST_INSTRUCTIONS];
    for (size_t i = from; i < to; i++)
        lengths[i - from] =
            (uint8_t)qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i));
    uint64_t start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from));
    recorder_lock();
    struct pm_collector *collector = recorder_collector();
    uint32_t module = memory_map_module(&collector->modules, start, memory_base);
    uint64_t offset = start - collector->modules.list.items[module].start;
    uint32_t id =
        pm_collector_block(collector, module, offset, lengths, (uint32_t)(to - from));
    recorder_unlock();
    return counted_block(id, (uint32_t)(to - from));
}

// ---------------------------------------------------------------- when they are executed

static void on_block(unsigned vcpu, void *block)
{
    recorder_count(&slots[vcpu], (counted)block);
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

static void on_repeated(unsigned vcpu, void *block)
{
    struct slot *slot = &slots[vcpu];
    if (slot->repeating == (counted)block && slot->repeating_left == slot->left)
        return;
    if (!goes_on_after_signal(slot, (counted)block)) {
        recorder_count(slot, (counted)block);
        slot->repeated[slot->next_repeated++ % LENGTH(slot->repeated)] = (counted)block;
    }
    slot->repeating = (counted)block;
    slot->repeating_left = slot->left;
}

struct single {
    counted block;
    uint64_t address;
};

static void on_single(unsigned vcpu, void *data)
{
    const struct single *single = data;
    struct slot *slot = &slots[vcpu];
    recorder_undo_at(slot, single->address);
    recorder_count(slot, single->block);
}

// ---------------------------------------------------------------- when they are translated

// Of one that does, QEMU tells as many bytes as it had read, so that its length says nothing.
static bool may_straddle(const struct qemu_plugin_insn *insn)
{
    return qemu_plugin_insn_vaddr(insn) % PAGE + LONGEST > PAGE;
}

static void count_single(struct qemu_plugin_tb *tb, uint64_t address)
{
    struct single *single = malloc(sizeof *single); // as long as the translation, which may be for ever
    *single = (struct single){block_of(tb, 0, 1), address};
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_single, CALLBACK_NO_REGISTERS, single);
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
    uint64_t start = qemu_plugin_insn_vaddr(first);
    memory_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(first) - start;
    size_t size = code_of(last, code);

    on_execution own = NULL; // of the last instruction
    if (guest->repeats && guest_is_repeated(code, size))
        own = on_repeated;
    else if (guest->straddles && count > 1 && may_straddle(last))
        own = on_block;
    else if (count == 1 && !guest->is_branch(code, size)) {
        count_single(tb, start);
        return;
    }
    size_t together = own ? count - 1 : count;
    if (together)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CALLBACK_NO_REGISTERS,
                                             (void *)block_of(tb, 0, together));
    if (own)
        qemu_plugin_register_vcpu_insn_exec_cb(last, own, CALLBACK_NO_REGISTERS,
                                               (void *)block_of(tb, count - 1, count));
}
