// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.h"

#include "../core/fold.h"
#include "inherited.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

enum { DEFAULT_INTERVAL = 1000000 };

struct options options = {.interval = DEFAULT_INTERVAL, .watch_rewriting = True};

static const HChar FOLLOWED[] = "--followed=yes";

// Of `32,1`.
static void read_live(const HChar *given)
{
    HChar *end;
    options.counters = VG_(strtoull10)(given, &end);
    Bool good = *end == ',' && options.counters >= 1 && options.counters <= PM_MOST_COUNTERS;
    if (good)
        options.seed = VG_(strtoull10)(end + 1, &end);
    if (!good || *end)
        REFUSE("--live", "is a number of counters, 1 to %d, and a seed\n", PM_MOST_COUNTERS);
}

static Bool process(const HChar *arg)
{
    Long interval, longest, lines;
    const HChar *given;
    if VG_STR_CLO (arg, "--out-dir", options.out_dir) {
    } else if VG_BINT_CLO (arg, "--interval", interval, 1, 1LL << 60) {
        options.interval = interval;
    } else if VG_BOOL_CLO (arg, "--auto", options.doubling) {
    } else if VG_STR_CLO (arg, "--timing", options.timing) {
    } else if VG_BINT_CLO (arg, "--events", longest, 0, 1LL << 60) {
        options.events = longest;
    } else if (VG_STR_CLO(arg, "--live", given)) {
        read_live(given);
    } else if VG_BINT_CLO (arg, "--memory", lines, 0, 1LL << 20) {
        options.memory = lines;
    } else if VG_STR_CLO (arg, "--windows", options.windows) {
    } else if VG_STR_CLO (arg, "--cuts", options.cuts) {
    } else if VG_BOOL_CLO (arg, "--watch-rewriting", options.watch_rewriting) {
    } else if VG_BOOL_CLO (arg, "--followed", options.followed) {
    } else if (VG_STR_CLO (arg, "--inherited", given)) {
        return inherited_read(given);
    } else {
        return False;
    }
    return True;
}

static void print_usage(void)
{
    VG_(printf)
    ("    --out-dir=<absolute folder>  one raw stream a process image is written here\n"
     "    --interval=<number>          instructions per interval [%d]\n"
     "    --auto=no|yes                double the interval as a run grows [no]\n"
     "    --timing=<file>              count on the timing model this file configures\n"
     "    --cuts=<file>                cut intervals at these positions, not every so many\n"
     "    --events=<number>            record loops, calls and returns; at most so many instructions\n"
     "                                 of repeats of one are put together; 0: do not [0]\n"
     "    --live=<counters>,<seed>     fold intervals into so many, and send them through the pipe `live` there\n"
     "    --memory=<number>            count how long ago memory was used, of one line in so many, a power of\n"
     "                                 two, and branches that nothing foretold; 0: do not [0]\n"
     "    --windows=<file>             only in these stretches, and record no vectors\n"
     "    --watch-rewriting=no|yes     as --smc-check=all once a file is mapped writable and executable [yes]\n",
     DEFAULT_INTERVAL);
}

static void print_debug_usage(void)
{
    VG_(printf)("    --followed=no|yes            set by phasemark itself on exec\n"
                "    --inherited=<numbers>        by its launcher: open files, and the limit of them\n");
}

void options_register(void)
{
    VG_(needs_command_line_options)(process, print_usage, print_debug_usage);
}

void options_pass_on(void)
{
    // Valgrind gives its own arguments to the images it follows.
    const HChar *followed = FOLLOWED;
    if (!options.followed)
        VG_(addToXA)(VG_(args_for_valgrind), &followed);
}
