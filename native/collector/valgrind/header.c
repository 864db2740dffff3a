// SPDX-License-Identifier: GPL-2.0-or-later
#include "header.h"

#include "../core/live.h"
#include "options.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "syscalls.h"

enum { PATH_BYTES = 4096, MOST_SEGMENTS = 2000 };

static const HChar BLOCK_DEFINITION[] =
    "straight run of instructions up to a branch, a REP-prefixed string instruction (a block of "
    "its own), or the engine's limit of instructions per translation";

static ULong time_ns(void)
{
    struct vki_timeval now;
    VG_(gettimeofday)(&now, NULL);
    return now.tv_sec * 1000000000ULL + now.tv_usec * 1000ULL;
}

static void write_features(struct pm_stream *stream)
{
    static const struct {
        UInt capability;
        const HChar *name;
    } features[] = {
        {VEX_HWCAPS_AMD64_SSE3, "SSE3"},     {VEX_HWCAPS_AMD64_SSSE3, "SSSE3"},
        {VEX_HWCAPS_AMD64_CX16, "CX16"},     {VEX_HWCAPS_AMD64_LZCNT, "LZCNT"},
        {VEX_HWCAPS_AMD64_AVX, "AVX"},       {VEX_HWCAPS_AMD64_RDTSCP, "RDTSCP"},
        {VEX_HWCAPS_AMD64_BMI, "BMI"},       {VEX_HWCAPS_AMD64_AVX2, "AVX2"},
        {VEX_HWCAPS_AMD64_RDRAND, "RDRAND"}, {VEX_HWCAPS_AMD64_F16C, "F16C"},
        {VEX_HWCAPS_AMD64_RDSEED, "RDSEED"},
    };
    HChar names[160] = "x86-64";
    VexArch arch;
    VexArchInfo info;
    VG_(machine_get_VexArchInfo)(&arch, &info);
    for (UInt i = 0; i < sizeof features / sizeof *features; i++) {
        if (info.hwcaps & features[i].capability) {
            VG_(strcat)(names, " ");
            VG_(strcat)(names, features[i].name);
        }
    }
    pm_stream_pair(stream, "cpu", names);
}

// The program is the first file in the address space; its name was given by the user, perhaps
// without its folder, or is that of a script.
static const HChar *executable(void)
{
    Addr starts[MOST_SEGMENTS];
    Int found = VG_(am_get_segment_starts)(SkFileC, starts, MOST_SEGMENTS);
    const HChar *name =
        found > 0 ? VG_(am_get_filename)(VG_(am_find_nsegment)(starts[0])) : NULL;
    return name ? name : VG_(args_the_exename);
}

static void write_program(struct pm_stream *stream)
{
    HChar cwd[PATH_BYTES] = "";
    pm_stream_pair(stream, "exe", executable());
    pm_stream_pair(stream, "arg", VG_(args_the_exename));
    for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++)
        pm_stream_pair(stream, "arg", *(HChar **)VG_(indexXA)(VG_(args_for_client), i));
    if (sys_getcwd(cwd, sizeof cwd))
        pm_stream_pair(stream, "cwd", cwd);
}

void header_write(struct pm_stream *stream, const struct pm_fold *fold, const HChar *origin)
{
    pm_stream_begin(stream, 'H');
    pm_stream_pair(stream, "format", "1");
    pm_stream_pair(stream, "engine", "valgrind");
    pm_stream_pair(stream, "engine_version", PHASEMARK_VALGRIND_VERSION);
    pm_stream_pair(stream, "tool_version", PHASEMARK_VERSION);
    pm_stream_pair_number(stream, "pid", VG_(getpid)());
    pm_stream_pair_number(stream, "ppid", VG_(getppid)());
    pm_stream_pair(stream, "origin", origin);
    pm_stream_pair_number(stream, "time_ns", time_ns());
    write_program(stream);
    pm_stream_pair_number(stream, "interval", options.interval);
    pm_stream_pair_number(stream, "auto", options.doubling);
    pm_stream_pair_number(stream, "cuts", options.cuts != NULL);
    pm_stream_pair_number(stream, "timing", options.timing != NULL);
    pm_stream_pair_number(stream, "events", options.events);
    if (fold)
        pm_live_pairs(stream, fold);
    pm_stream_pair_number(stream, "memory", options.memory);
    pm_stream_pair(stream, "unit", "instructions");
    pm_stream_pair(stream, "block_definition", BLOCK_DEFINITION);
    write_features(stream);
    pm_stream_end(stream);
}
