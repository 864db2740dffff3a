// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include "inherited.h"
#include "options.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

enum { FIRST_ROOM = 4096, MOST_ROOM = 1 << 30 };

// One in the output folder is reached by every process, whatever has become of its path.
static Int open_file(const HChar *path)
{
    SizeT folder = VG_(strlen)(options.out_dir);
    if (VG_(strncmp)(path, options.out_dir, folder) == 0 && path[folder] == '/')
        return inherited_open(path + folder + 1, VKI_O_RDONLY);
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    return sr_isError(opened) ? -1 : (Int)sr_Res(opened);
}

// Read to the end: what the tool's headers declare tells no size, and a pipe has none.
HChar *file_text(const HChar *path)
{
    Int file = open_file(path);
    if (file < 0)
        return NULL;
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
