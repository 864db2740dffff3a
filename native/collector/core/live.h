// SPDX-License-Identifier: GPL-2.0-or-later
// The live stream (docs/raw-stream.md): intervals as counters, for who follows a program while it runs.
#ifndef PHASEMARK_LIVE_H
#define PHASEMARK_LIVE_H

#include "thread.h"

// Of the header record.
void pm_live_pairs(struct pm_stream *stream, const struct pm_fold *fold);

// Milliseconds since the stream began.
uint64_t pm_live_now(const struct pm_thread *thread);

// Writes the `length` instructions from the thread's interval's start on, whose executed blocks were found, as
// a record of a kind, which then is on its way.
void pm_live_write(struct pm_thread *thread, char kind, uint64_t length);

// Hands bytes of whole records to `write` in packets that a pipe takes as one each, whoever else writes to it.
struct pm_sender {
    uint32_t pid, begun; // of the process image: no two that are followed at once have both alike
};

bool pm_live_send(struct pm_sender sender, const void *bytes, size_t size,
                  bool (*write)(const void *bytes, size_t size));

#endif
