// SPDX-License-Identifier: GPL-2.0-or-later
#include "rewriting.h"

#include "core.h"
#include "options.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

static Bool is_file(Addr start)
{
    const NSegment *segment = VG_(am_find_nsegment)(start);
    return segment && segment->kind == SkFileC;
}

// From now on, unless --smc-check was given; what was translated of it before is forgotten.
static void look_at_code(Addr start, SizeT length)
{
    if (options.watch_rewriting)
        VG_(clo_smc_check) = CORE_SMC_ALL;
    VG_(discard_translations)(start, length, "a file that is written and executed");
}

static Bool both(UInt protection)
{
    return (protection & VKI_PROT_WRITE) && (protection & VKI_PROT_EXEC);
}

void rewriting_mapped(Addr start, SizeT length, UInt protection, UInt flags)
{
    // Libraries are mapped privately: whoever shares code has written it, or will.
    Bool shared = (flags & VKI_MAP_SHARED) && !(flags & VKI_MAP_ANONYMOUS);
    if (both(protection) || (shared && (protection & VKI_PROT_EXEC)))
        if (is_file(start))
            look_at_code(start, length);
}

void rewriting_protected(Addr start, SizeT length, UInt protection)
{
    if (!(protection & VKI_PROT_EXEC) || !is_file(start))
        return;
    if (both(protection))
        look_at_code(start, length);
    else
        VG_(discard_translations)(start, length, "a file that became executable");
}
