// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef PHASEMARK_OPTIONS_H
#define PHASEMARK_OPTIONS_H

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

// Says what is wrong with an option and ends; Valgrind's own function returns in some versions.
#define REFUSE(option, ...)                                                                        \
    do {                                                                                           \
        VG_(fmsg_bad_option)(option, __VA_ARGS__);                                                 \
        VG_(exit)(1);                                                                              \
    } while (0)

struct options {
    const HChar *out_dir; // absolute: the program may change its directory
    ULong interval;
    Bool doubling;
    const HChar *timing;  // the timing model's configuration; NULL: it is not used
    ULong events;         // longest token of the trace of events, in instructions; 0: there is none
    ULong memory;         // one line of memory of so many is looked at, a power of two; 0: none
    const HChar *windows; // the stretches to be timed; NULL: all, and vectors are recorded
    ULong counters;       // that intervals are folded into, and sent while the program runs; 0: they are not
    ULong seed;           // of how code is shared out among them
    const HChar *cuts;    // where intervals end; NULL: they have a length
    Bool watch_rewriting; // look at all code once a file is mapped that may be written and executed
    Bool followed; // this image was started by exec from one that is collected
};

extern struct options options;

void options_register(void);

// Marks the images this one starts by exec.
void options_pass_on(void);

#endif
