// SPDX-License-Identifier: GPL-2.0-or-later
#include "blocks.h"

static size_t packed_bytes(uint32_t instructions)
{
    return (instructions + 1) / 2;
}

static unsigned packed_at(const uint8_t *lengths, uint32_t instructions, size_t byte)
{
    unsigned high = 2 * byte + 1 < instructions ? lengths[2 * byte + 1] : 0;
    return lengths[2 * byte] | high << 4;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct pm_blocks *blocks, const struct pm_block *block)
{
    const unsigned char *packed = blocks->nibbles.items + block->lengths;
    uint64_t hash = mix(mix(block->offset, block->module), block->instructions);
    for (size_t i = 0; i < packed_bytes(block->instructions); i++)
        hash = mix(hash, packed[i]);
    return hash;
}

static bool equal(const struct pm_blocks *blocks, const struct pm_block *a,
                  const struct pm_block *b)
{
    if (a->offset != b->offset || a->module != b->module || a->instructions != b->instructions)
        return false;
    const unsigned char *packed = blocks->nibbles.items;
    for (size_t i = 0; i < packed_bytes(a->instructions); i++)
        if (packed[a->lengths + i] != packed[b->lengths + i])
            return false;
    return true;
}

// The slot that holds an equal block, or the free one where it belongs.
static uint32_t *slot_for(const struct pm_blocks *blocks, const struct pm_block *block)
{
    size_t mask = blocks->slot_count - 1;
    size_t i = hash_of(blocks, block) & mask;
    while (blocks->slots[i] && !equal(blocks, &blocks->list.items[blocks->slots[i] - 1], block))
        i = (i + 1) & mask;
    return &blocks->slots[i];
}

static void grow_slots(struct pm_blocks *blocks)
{
    blocks->slot_count = blocks->slot_count ? 2 * blocks->slot_count : 1 << 12;
    blocks->slots =
        blocks->engine->resize(blocks->slots, blocks->slot_count * sizeof *blocks->slots);
    for (size_t i = 0; i < blocks->slot_count; i++)
        blocks->slots[i] = 0;
    for (size_t id = 0; id < blocks->list.used; id++)
        *slot_for(blocks, &blocks->list.items[id]) = (uint32_t)id + 1;
}

uint32_t pm_blocks_intern(struct pm_blocks *blocks, uint32_t module, uint64_t offset,
                          const uint8_t *lengths, uint32_t instructions)
{
    if (4 * (blocks->list.used + 1) > 3 * blocks->slot_count)
        grow_slots(blocks);

    // The candidate's lengths are appended first and taken back if the block is known.
    struct pm_block block = {.offset = offset,
                             .module = module,
                             .instructions = instructions,
                             .lengths = (uint32_t)blocks->nibbles.used};
    size_t bytes = packed_bytes(instructions);
    PM_RESERVE(blocks->engine, &blocks->nibbles, bytes);
    for (size_t i = 0; i < bytes; i++)
        blocks->nibbles.items[blocks->nibbles.used + i] =
            (unsigned char)packed_at(lengths, instructions, i);

    uint32_t *slot = slot_for(blocks, &block);
    if (!*slot) {
        blocks->nibbles.used += bytes;
        PM_PUSH(blocks->engine, &blocks->list, block);
        *slot = (uint32_t)blocks->list.used;
    }
    return *slot - 1;
}

int64_t pm_blocks_index_at(const struct pm_blocks *blocks, uint32_t id, uint64_t offset)
{
    const struct pm_block *block = &blocks->list.items[id];
    const unsigned char *packed = blocks->nibbles.items + block->lengths;
    uint64_t at = 0;
    for (uint32_t i = 0; i < block->instructions && at <= offset; i++) {
        if (at == offset)
            return i;
        at += packed[i / 2] >> 4 * (i % 2) & 15;
    }
    return -1;
}

void pm_blocks_write(struct pm_blocks *blocks, uint32_t id)
{
    struct pm_block *block = &blocks->list.items[id];
    struct pm_stream *stream = blocks->modules->stream;
    if (block->written)
        return;
    block->written = true;
    pm_modules_write(blocks->modules, block->module);
    pm_stream_begin(stream, 'B');
    pm_stream_varint(stream, id);
    pm_stream_varint(stream, 1);
    pm_stream_varint(stream, block->module);
    pm_stream_varint(stream, block->offset);
    pm_stream_varint(stream, block->instructions);
    pm_stream_bytes(stream, blocks->nibbles.items + block->lengths,
                    packed_bytes(block->instructions));
    pm_stream_end(stream);
}

void pm_blocks_rewrite(struct pm_blocks *blocks)
{
    for (size_t i = 0; i < blocks->list.used; i++)
        blocks->list.items[i].written = false;
}
