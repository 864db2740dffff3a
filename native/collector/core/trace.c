// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.h"

#include <lz4.h>

// A chunk is compressed by itself, and LZ4 finds what lies up to 64 KiB back.
enum { CHUNK_BYTES = 1 << 17, TOKEN_BYTES = 3 * 10 };

struct pm_packer {
    LZ4_stream_t state;
    char packed[LZ4_COMPRESSBOUND(CHUNK_BYTES + 2 * TOKEN_BYTES)];
};

struct pm_packer *pm_packer_new(const struct pm_engine *engine)
{
    return engine->resize(NULL, sizeof(struct pm_packer));
}

// ---------------------------------------------------------------- tokens

static inline unsigned char *put_varint(unsigned char *to, uint64_t value)
{
    if (value < 0x80) {
        *to = (unsigned char)value;
        return to + 1;
    }
    if (value < 0x4000) {
        to[0] = (unsigned char)(value | 0x80);
        to[1] = (unsigned char)(value >> 7);
        return to + 2;
    }
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

static inline unsigned char *put_token(unsigned char *at, uint64_t site, uint64_t repeats,
                                       uint64_t since)
{
    at = put_varint(at, site << 1 | (repeats > 1));
    if (repeats > 1)
        at = put_varint(at, repeats);
    return put_varint(at, since);
}

static void reserve_tokens(struct pm_trace *trace, size_t count)
{
    PM_RESERVE(trace->sites->engine, &trace->bytes, count * TOKEN_BYTES);
}

// The token that may go on is complete as it is; there is room for it.
static inline void close_token(struct pm_trace *trace)
{
    if (!trace->repeats)
        return;
    if (!trace->sites->list.items[trace->site].written)
        pm_sites_write(trace->sites, (uint32_t)trace->site);
    unsigned char *at = trace->bytes.items + trace->bytes.used;
    at = put_token(at, trace->site, trace->repeats, trace->position - trace->end);
    trace->bytes.used = (size_t)(at - trace->bytes.items);
    trace->tokens++;
    trace->end = trace->position;
    trace->repeats = 0;
}

// ---------------------------------------------------------------- chunks

static void write_chunk(struct pm_trace *trace, char kind)
{
    struct pm_packer *packer = trace->packer;
    int size = LZ4_compress_fast_extState(&packer->state, (const char *)trace->bytes.items,
                                          packer->packed, (int)trace->bytes.used,
                                          sizeof packer->packed, 1);
    pm_stream_begin(trace->stream, kind);
    pm_stream_varint(trace->stream, trace->serial);
    pm_stream_varint(trace->stream, trace->start);
    pm_stream_varint(trace->stream, trace->end);
    pm_stream_varint(trace->stream, trace->tokens);
    pm_stream_varint(trace->stream, trace->bytes.used);
    pm_stream_bytes(trace->stream, packer->packed, (size_t)size);
    pm_stream_end(trace->stream);
}

static void end_chunk(struct pm_trace *trace)
{
    write_chunk(trace, 'V');
    trace->bytes.used = 0;
    trace->tokens = 0;
    trace->start = trace->end;
}

void pm_trace_add(struct pm_trace *trace, const struct pm_event *events, size_t count,
                  uint64_t full)
{
    reserve_tokens(trace, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t position = full - (uint64_t)events[i].left;
        if (events[i].site == trace->site && trace->repeats
            && position - trace->end <= trace->longest) {
            trace->repeats++;
            trace->position = position;
            continue;
        }
        close_token(trace);
        if (trace->bytes.used >= CHUNK_BYTES)
            end_chunk(trace);
        trace->site = events[i].site;
        trace->repeats = 1;
        trace->position = position;
    }
}

void pm_trace_snapshot(struct pm_trace *trace)
{
    // How tokens and chunks are cut must not depend on when this happens.
    reserve_tokens(trace, 1);
    struct pm_trace before = *trace;
    close_token(trace);
    if (trace->tokens)
        write_chunk(trace, 'U');
    *trace = before;
}

void pm_trace_end(struct pm_trace *trace)
{
    reserve_tokens(trace, 1);
    close_token(trace);
    if (trace->tokens)
        end_chunk(trace);
}

void pm_trace_release(struct pm_trace *trace)
{
    PM_RELEASE(trace->sites->engine, &trace->bytes);
}
