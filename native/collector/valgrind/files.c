// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

enum { FIRST_ROOM = 4096, MOST_ROOM = 1 << 30 };

// Read to the end: what the tool's headers declare tells no size, and a pipe has none.
HChar *file_text(const HChar *path)
{
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return NULL;
    Int file = (Int)sr_Res(opened);
    SizeT room = FIRST_ROOM, used = 0;
    HChar *text = VG_(malloc)("phasemark.file", room);
    for (;;) {
        Int more = VG_(read)(file, text + used, (Int)(room - 1 - used));
        if (more <= 0)
            break;
        used += (SizeT)more;
        if (used + 1 < room)
            continue;
        if (room == MOST_ROOM) {
            VG_(free)(text);
            VG_(close)(file);
            return NULL;
        }
        room *= 2;
        text = VG_(realloc)("phasemark.file", text, room);
    }
    text[used] = '\0';
    VG_(close)(file);
    return text;
}
