// SPDX-License-Identifier: GPL-2.0-or-later
#include "running.h"

#include "pub_tool_machine.h"

struct running running_load(ThreadId tid)
{
    struct running running;
    VG_(get_shadow_regs_area)
    (tid, (UChar *)&running, RUNNING_SHADOW, RUNNING_OFFSET, sizeof running);
    return running;
}

void running_store(ThreadId tid, struct running running)
{
    VG_(set_shadow_regs_area)
    (tid, RUNNING_SHADOW, RUNNING_OFFSET, sizeof running, (const UChar *)&running);
}

void running_forget_repeating(ThreadId tid)
{
    const ULong none = 0;
    VG_(set_shadow_regs_area)
    (tid, RUNNING_SHADOW, REPEATING_OFFSET, sizeof none, (const UChar *)&none);
}
