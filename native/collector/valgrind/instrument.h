// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef PHASEMARK_INSTRUMENT_H
#define PHASEMARK_INSTRUMENT_H

#include "../core/sites.h"
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

// What generated code calls, and where new blocks get their ids.
struct instrument_hooks {
    UInt (*block_id)(Addr start, const UChar *lengths, UInt instructions);
    void (*overrun)(void);
    // The instruction at an address did not complete and will be tried again.
    void (*retry)(Addr address);
    // The site of events at a branch. `target` is where it leads; 0: not to one place.
    UInt (*site_id)(Addr branch, enum pm_site_kind kind, Addr target);
    void (*events_full)(void);
    void (*accesses_full)(void);
    Bool vectors; // executions of blocks are counted, not only instructions
    Bool timing;  // the timing model is told what happens
    Bool events;  // taken loop branches, calls and returns are noted
    ULong memory; // addresses of accesses are noted, and of one line of code of so many; 0: they are not
};

void instrument_begin(const struct instrument_hooks *hooks);

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                 IRType host_word);

#endif
