// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.h"

enum { HEAD_BYTES = 5, FLUSH_BYTES = 1 << 16, VARINT_BYTES = 10 };

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

void pm_stream_open(struct pm_stream *stream, const struct pm_engine *engine, const char *kind)
{
    stream->engine = engine;
    stream->failed = false;
    stream->buffer.used = 0;
    pm_stream_bytes(stream, kind, 8);
}

void pm_stream_begin(struct pm_stream *stream, char kind)
{
    const unsigned char head[HEAD_BYTES] = {(unsigned char)kind};
    pm_stream_bytes(stream, head, sizeof head);
    stream->record = stream->buffer.used;
}

void pm_stream_end(struct pm_stream *stream)
{
    size_t length = stream->buffer.used - stream->record;
    unsigned char *field = stream->buffer.items + stream->record - 4;
    for (int i = 0; i < 4; i++)
        field[i] = (unsigned char)(length >> 8 * i);
    if (stream->buffer.used >= FLUSH_BYTES)
        pm_stream_flush(stream);
}

void pm_stream_bytes(struct pm_stream *stream, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    PM_RESERVE(stream->engine, &stream->buffer, size);
    unsigned char *to = stream->buffer.items + stream->buffer.used;
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
    stream->buffer.used += size;
}

void pm_stream_varint(struct pm_stream *stream, uint64_t value)
{
    PM_RESERVE(stream->engine, &stream->buffer, VARINT_BYTES);
    unsigned char *to = stream->buffer.items + stream->buffer.used;
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    stream->buffer.used = (size_t)(to - stream->buffer.items);
}

void pm_stream_string(struct pm_stream *stream, const char *text)
{
    size_t length = length_of(text);
    pm_stream_varint(stream, length);
    pm_stream_bytes(stream, text, length);
}

void pm_stream_name(struct pm_stream *stream, const char *text)
{
    pm_stream_bytes(stream, text, length_of(text) + 1);
}

void pm_stream_pair(struct pm_stream *stream, const char *key, const char *value)
{
    pm_stream_bytes(stream, key, length_of(key));
    pm_stream_bytes(stream, "=", 1);
    pm_stream_bytes(stream, value, length_of(value) + 1);
}

void pm_stream_pair_number(struct pm_stream *stream, const char *key, uint64_t value)
{
    char digits[21];
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    pm_stream_pair(stream, key, first);
}

void pm_stream_flush(struct pm_stream *stream)
{
    if (!stream->failed && stream->buffer.used)
        stream->failed = !stream->engine->write(stream->buffer.items, stream->buffer.used);
    stream->buffer.used = 0;
}
