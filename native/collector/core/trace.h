// SPDX-License-Identifier: GPL-2.0-or-later
// One thread's events: taken loop branches, calls and returns, as tokens (site, repeats,
// instructions since the token before), which are written in compressed chunks.
#ifndef PHASEMARK_TRACE_H
#define PHASEMARK_TRACE_H

#include "sites.h"

// As generated code notes it: a site, and the instructions that were left of the interval after
// the branch.
struct pm_event {
    uint64_t site;
    int64_t left;
};

// What compressing takes; all threads share it.
struct pm_packer;
struct pm_packer *pm_packer_new(const struct pm_engine *engine);

struct pm_trace {
    struct pm_sites *sites;
    struct pm_stream *stream;
    struct pm_packer *packer;
    uint32_t serial;  // of the thread
    uint64_t longest; // instructions of a token, unless one event took more

    // The chunk so far: its tokens, and the positions before the first and after the last.
    PM_VECTOR(unsigned char) bytes;
    uint64_t tokens, start, end;

    // The token that may go on, after `end`; none if it has no repeats.
    uint64_t site, repeats, position;
};

// More events, in order; `full` is the thread's position where nothing is left of the interval.
void pm_trace_add(struct pm_trace *trace, const struct pm_event *events, size_t count,
                  uint64_t full);

// Writes the chunk so far, with the token that may go on, if there is any; a later chunk replaces it.
void pm_trace_snapshot(struct pm_trace *trace);

// Writes the last chunk.
void pm_trace_end(struct pm_trace *trace);

void pm_trace_release(struct pm_trace *trace);

#endif
