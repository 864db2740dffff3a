// SPDX-License-Identifier: GPL-2.0-or-later
#include "live.h"

// A pipe takes no more as one, whichever system's.
enum { PACKET_BYTES = 4096, HEAD_BYTES = 16, CARRIED_BYTES = PACKET_BYTES - HEAD_BYTES };

void pm_live_pairs(struct pm_stream *stream, const struct pm_fold *fold)
{
    pm_stream_pair(stream, "live", "1");
    pm_stream_pair_number(stream, "counters", fold->counters);
    pm_stream_pair_number(stream, "seed", fold->seed);
}

uint64_t pm_live_now(const struct pm_thread *thread)
{
    return thread->blocks->engine->now_ms() - thread->recording->fold->began_ms;
}

// All that were executed are known before the first is folded: what begins now divides the others already.
static void fold_interval(const struct pm_thread *thread, struct pm_fold *fold)
{
    for (size_t i = 0; i < thread->executed.used; i++)
        pm_fold_know(fold, thread->executed.items[i]);
    for (size_t i = 0; i < thread->partials.used; i++)
        pm_fold_know(fold, thread->partials.items[i].block);
    pm_fold_clear(fold);
    for (size_t i = 0; i < thread->executed.used; i++) {
        uint32_t id = thread->executed.items[i];
        pm_fold_add(fold, id, 0, thread->blocks->list.items[id].instructions, thread->counts[id]);
    }
    for (size_t i = 0; i < thread->partials.used; i++) {
        const struct pm_partial *partial = &thread->partials.items[i];
        pm_fold_add(fold, partial->block, partial->from, partial->to, partial->times);
    }
}

static void write_heaviest(struct pm_stream *stream, const struct pm_blocks *blocks,
                           const struct pm_fold *fold)
{
    pm_stream_varint(stream, fold->heavy);
    for (uint32_t i = 0; i < fold->heavy; i++) {
        const struct pm_block *block = &blocks->list.items[fold->heaviest[i].block];
        pm_stream_varint(stream, block->module);
        pm_stream_varint(stream, block->offset);
        pm_stream_varint(stream, fold->heaviest[i].instructions);
    }
}

void pm_live_write(struct pm_thread *thread, char kind, uint64_t length)
{
    struct pm_fold *fold = thread->recording->fold;
    struct pm_stream *stream = thread->stream;
    uint64_t now = pm_live_now(thread);
    fold_interval(thread, fold);
    pm_fold_rank(fold, length);
    for (uint32_t i = 0; i < fold->heavy; i++)
        pm_modules_write(thread->blocks->modules,
                         thread->blocks->list.items[fold->heaviest[i].block].module);
    pm_stream_begin(stream, kind);
    pm_stream_varint(stream, thread->serial);
    pm_stream_varint(stream, thread->start);
    pm_stream_varint(stream, length);
    pm_stream_varint(stream, thread->began_ms);
    pm_stream_varint(stream, now - thread->began_ms);
    for (uint32_t i = 0; i < fold->counters; i++)
        pm_stream_varint(stream, fold->sums[i]);
    write_heaviest(stream, thread->blocks, fold);
    pm_stream_end(stream);
    pm_stream_flush(stream);
}

static void put_number(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

bool pm_live_send(struct pm_sender sender, const void *bytes, size_t size,
                  bool (*write)(const void *bytes, size_t size))
{
    unsigned char packet[PACKET_BYTES] = {'P', 'M', 'P', '1'};
    const unsigned char *from = bytes;
    put_number(packet + 4, sender.pid);
    put_number(packet + 8, sender.begun);
    while (size) {
        size_t carried = size < CARRIED_BYTES ? size : CARRIED_BYTES;
        put_number(packet + 12, (uint32_t)carried);
        for (size_t i = 0; i < carried; i++)
            packet[HEAD_BYTES + i] = from[i];
        if (!write(packet, HEAD_BYTES + carried))
            return false;
        from += carried;
        size -= carried;
    }
    return true;
}
