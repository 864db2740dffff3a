// SPDX-License-Identifier: GPL-2.0-or-later
#include "header.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../core/live.h"
#include "command.h"
#include "options.h"

static const char BLOCK_DEFINITION[] =
    "straight run of instructions up to a branch, a REP-prefixed string instruction (a block of "
    "its own), the end of a page, or the engine's limit of instructions per translation";

static uint64_t time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void write_program(struct pm_stream *stream)
{
    char cwd[PATH_MAX], whole[PATH_MAX];
    const char *program = command.words[command.name + 1];
    pm_stream_pair(stream, "exe", realpath(program, whole) ? whole : program);
    pm_stream_pair(stream, "arg", command.words[command.name]);
    for (size_t i = command.name + 2; i < command.count; i++)
        pm_stream_pair(stream, "arg", command.words[i]);
    if (getcwd(cwd, sizeof cwd))
        pm_stream_pair(stream, "cwd", cwd);
}

void header_write(struct pm_stream *stream, const struct pm_fold *fold, const char *origin)
{
    pm_stream_begin(stream, 'H');
    pm_stream_pair(stream, "format", "1");
    pm_stream_pair(stream, "engine", "qemu");
    pm_stream_pair(stream, "engine_version", options.version);
    pm_stream_pair(stream, "tool_version", PHASEMARK_VERSION);
    pm_stream_pair_number(stream, "pid", (uint64_t)getpid());
    pm_stream_pair_number(stream, "ppid", (uint64_t)getppid());
    pm_stream_pair(stream, "origin", origin);
    pm_stream_pair_number(stream, "time_ns", time_ns());
    write_program(stream);
    pm_stream_pair_number(stream, "interval", options.interval);
    pm_stream_pair_number(stream, "auto", options.doubling);
    pm_stream_pair_number(stream, "cuts", options.cuts != NULL);
    pm_stream_pair_number(stream, "events", options.events);
    if (fold)
        pm_live_pairs(stream, fold);
    pm_stream_pair(stream, "unit", "instructions");
    pm_stream_pair(stream, "block_definition", BLOCK_DEFINITION);
    pm_stream_pair(stream, "cpu", options.cpu);
    pm_stream_end(stream);
}
