// SPDX-License-Identifier: GPL-2.0-or-later
#include "inherited.h"

#include "core.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "syscalls.h"

enum { RESERVED = 12 }; // descriptors that Valgrind keeps above those of the program

struct inherited inherited = {.folder = -1, .notes = -1, .tool = -1};

Bool inherited_read(const HChar *text)
{
    Int *const files[] = {&inherited.folder, &inherited.notes, &inherited.tool};
    ULong *const limits[] = {&inherited.soft, &inherited.hard};
    HChar *end = (HChar *)text;
    for (UInt i = 0; i < 3; i++)
        *files[i] = (Int)VG_(strtoll10)(end, &end), end += *end == ',';
    for (UInt i = 0; i < 2; i++)
        *limits[i] = VG_(strtoull10)(end, &end), end += *end == ',';
    if (VG_(strcmp)(end, INHERITED_EXEC) == 0)
        end += sizeof INHERITED_EXEC - 1;
    return *end == '\0' && inherited.folder > 2 && inherited.notes > 2 && inherited.tool > 2;
}

const HChar *inherited_option(void)
{
    static HChar option[120];
    VG_(snprintf)(option, sizeof option, "--inherited=%d,%d,%d,%llu,%llu," INHERITED_EXEC, inherited.folder,
                  inherited.notes, inherited.tool, inherited.soft, inherited.hard);
    return option;
}

static Int out_of_reach(Int fd)
{
    if (fd >= VG_(fd_hard_limit))
        return fd;
    Long moved = syscall4(__NR_fcntl, fd, VKI_F_DUPFD, VG_(fd_hard_limit), 0);
    if (moved < 0)
        return fd;
    VG_(close)(fd);
    return (Int)moved;
}

void inherited_begin(void)
{
    inherited.folder = out_of_reach(inherited.folder);
    inherited.notes = out_of_reach(inherited.notes);
    inherited.tool = out_of_reach(inherited.tool);
    if (inherited.soft < (ULong)VG_(fd_hard_limit))
        VG_(fd_soft_limit) = (Int)inherited.soft;
}

static void limit(ULong soft, ULong hard)
{
    struct vki_rlimit now, wanted = {soft, hard};
    if (VG_(getrlimit)(VKI_RLIMIT_NOFILE, &now) != 0)
        return;
    if (!hard || hard > now.rlim_max)
        wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max)
        wanted.rlim_cur = wanted.rlim_max;
    VG_(setrlimit)(VKI_RLIMIT_NOFILE, &wanted);
}

// Valgrind sets its own descriptors above the limit that it finds, each time anew.
void inherited_make_room(void)
{
    limit((ULong)VG_(fd_hard_limit), 0);
}

static void close_on_exec(ULong flag)
{
    syscall4(__NR_fcntl, inherited.folder, VKI_F_SETFD, flag, 0);
    syscall4(__NR_fcntl, inherited.notes, VKI_F_SETFD, flag, 0);
    syscall4(__NR_fcntl, inherited.tool, VKI_F_SETFD, flag, 0);
}

void inherited_hide(void)
{
    close_on_exec(VKI_FD_CLOEXEC);
    limit(inherited.soft, inherited.hard);
}

void inherited_show(void)
{
    close_on_exec(0);
    limit((ULong)VG_(fd_hard_limit) + RESERVED, 0);
}

Int inherited_open(const HChar *name, Int flags)
{
    return (Int)syscall4(__NR_openat, inherited.folder, (UWord)name, flags, 0644);
}

void inherited_open_up(void)
{
    // Written to by anybody who reaches it, listed by its owner alone.
    syscall4(__NR_fchmod, inherited.folder, 01733, 0, 0);
}
