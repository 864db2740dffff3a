// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

HChar *file_text(const HChar *path)
{
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return NULL;
    Int file = (Int)sr_Res(opened);
    Long size = VG_(fsize)(file);
    HChar *text = VG_(malloc)("phasemark.file", (SizeT)(size < 0 ? 0 : size) + 1);
    Long used = 0;
    while (used < size) {
        Int more = VG_(read)(file, text + used, (Int)(size - used < 1 << 30 ? size - used : 1 << 30));
        if (more <= 0)
            break;
        used += more;
    }
    text[used] = '\0';
    VG_(close)(file);
    return text;
}
