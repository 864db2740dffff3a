// SPDX-License-Identifier: GPL-2.0-or-later
// What the plugin is told on QEMU's command line.
#ifndef PHASEMARK_QEMU_OPTIONS_H
#define PHASEMARK_QEMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    const char *out;     // the folder of the streams, absolute
    uint64_t interval;   // instructions per interval
    bool doubling;       // it doubles as the run grows
    uint64_t events;     // instructions that repeats of one may take as one; 0: they are not recorded
    uint64_t counters;   // that intervals are folded into, and sent while the program runs; 0: they are not
    uint64_t seed;       // of how code is shared out among them
    const char *cuts;    // the file of the positions at which intervals end, or NULL
    bool followed;       // threads know their last event: events are recorded, or runs are cut
    const char *origin;  // `start` or `exec`
    const char *cpu;     // what the program is offered, for the header
    const char *version; // QEMU's, for the header
    unsigned long words; // of QEMU's command line, up to the word `-0`, which the program follows
};

extern struct options options;

// False: a word is none of ours.
bool options_read(int count, char **words);

#endif
