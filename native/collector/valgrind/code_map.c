// SPDX-License-Identifier: GPL-2.0-or-later
#include "code_map.h"

#include "pub_tool_aspacemgr.h"

enum { PAGE = 4096 };

static struct pm_module describe(Addr address)
{
    const NSegment *segment = VG_(am_find_nsegment)(address);
    if (!segment)
        return (struct pm_module){.start = address & ~(Addr)(PAGE - 1),
                                  .length = PAGE,
                                  .kind = PM_MODULE_KERNEL,
                                  .name = "[kernel]"};

    const HChar *name = VG_(am_get_filename)(segment);
    Bool is_file = name && (segment->kind == SkFileC || segment->kind == SkFileV);
    return (struct pm_module){.start = segment->start,
                              .length = segment->end + 1 - segment->start,
                              .file_offset = is_file ? segment->offset : 0,
                              .kind = is_file ? PM_MODULE_FILE : PM_MODULE_ANONYMOUS,
                              .name = is_file ? name : ""};
}

UInt code_map_module(struct pm_modules *modules, Addr address)
{
    Long known = pm_modules_find(modules, address);
    return known >= 0 ? (UInt)known : pm_modules_add(modules, describe(address));
}
