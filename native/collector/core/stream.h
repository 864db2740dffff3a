// SPDX-License-Identifier: GPL-2.0-or-later
// Encoder of the raw stream (docs/raw-stream.md): bytes, varints, strings, framed records.
#ifndef PHASEMARK_STREAM_H
#define PHASEMARK_STREAM_H

#include "vector.h"

struct pm_stream {
    const struct pm_engine *engine;
    PM_VECTOR(unsigned char) buffer;
    size_t record; // where the open record's payload starts in the buffer
    bool failed;   // the file takes no more: what is encoded from now on is dropped
};

// Which kind of stream it is.
#define PM_RAW_STREAM "PMRAW001"
#define PM_LIVE_STREAM "PMLIVE01"

void pm_stream_open(struct pm_stream *stream, const struct pm_engine *engine, const char *kind);

void pm_stream_begin(struct pm_stream *stream, char kind);
void pm_stream_end(struct pm_stream *stream);

void pm_stream_bytes(struct pm_stream *stream, const void *bytes, size_t size);
void pm_stream_varint(struct pm_stream *stream, uint64_t value);
void pm_stream_string(struct pm_stream *stream, const char *text);

// Text that ends with a NUL.
void pm_stream_name(struct pm_stream *stream, const char *text);

// A `key=value` pair of the header record.
void pm_stream_pair(struct pm_stream *stream, const char *key, const char *value);
void pm_stream_pair_number(struct pm_stream *stream, const char *key, uint64_t value);

// Hands all whole records to the engine.
void pm_stream_flush(struct pm_stream *stream);

#endif
