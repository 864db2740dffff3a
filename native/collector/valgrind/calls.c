// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls.h"

#include "core.h"
#include "following.h"
#include "inherited.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "saying.h"
#include "sparing.h"
#include "stack.h"
#include "syscalls.h"

#define CALL(name)                                                                                 \
    static void name(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status, \
                     UWord *flags)

static Bool readable(UWord address, SizeT size)
{
    return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

// ---------------------------------------------------------------- clone

// Threads, forks and vforks; what shares some and not all with its parent cannot be followed.
CALL(before_clone)
{
    enum { SHARED = 0x100 | 0x200 | 0x400 | 0x4000, THREAD = 0x700, VFORK = 0x4000, VM = 0x100 };
    UWord shared = arguments->arg[0] & SHARED;
    if (shared == THREAD && !sparing_has_thread()) {
        SAY_ONCE(SAY_TOLD,
                 "the program asked for more threads than the collector has at once: it was told EAGAIN");
        core_fail(status, VKI_EAGAIN);
        return;
    }
    if (shared == 0 || shared == THREAD || shared == VFORK || shared == (VFORK | VM)) {
        core_before(tid, layout, arguments, status, flags);
        return;
    }
    SAY_ONCE(SAY_TOLD,
             "the program asked for a process that shares part of its memory or files (clone with flags "
             "%#lx): the collector has none, and answered ENOSYS",
             arguments->arg[0]);
    core_fail(status, VKI_ENOSYS);
}

// ---------------------------------------------------------------- seccomp

enum { NO_MODE, STRICT, FILTER };

static UInt seccomp_mode;

// A filter made for the program would end the engine at the first system call of its own.
static void filter(core_status *status, UInt mode, UWord program)
{
    if (mode == FILTER && !readable(program, 16)) {
        core_fail(status, VKI_EFAULT);
        return;
    }
    SAY_ONCE(SAY_TOLD,
             "the program confines itself by seccomp, which would confine the collector, too: it was "
             "told that this was done, and runs unconfined");
    seccomp_mode = mode;
    core_succeed(status, 0);
}

CALL(before_prctl)
{
    enum { GET_SECCOMP = 21, SET_SECCOMP = 22 };
    if (arguments->arg[0] == GET_SECCOMP && seccomp_mode)
        core_succeed(status, seccomp_mode);
    else if (arguments->arg[0] == SET_SECCOMP
             && (arguments->arg[1] == STRICT || arguments->arg[1] == FILTER))
        filter(status, (UInt)arguments->arg[1], arguments->arg[2]);
    else
        core_before(tid, layout, arguments, status, flags);
}

CALL(before_seccomp)
{
    (void)tid, (void)layout, (void)flags;
    enum { SET_STRICT, SET_FILTER, NEW_LISTENER = 8 };
    if (arguments->arg[0] == SET_STRICT && arguments->arg[1] == 0)
        filter(status, STRICT, 0);
    else if (arguments->arg[0] == SET_FILTER && !(arguments->arg[1] & NEW_LISTENER))
        filter(status, FILTER, arguments->arg[2]);
    else
        core_fail(status, VKI_ENOSYS);
}

// ---------------------------------------------------------------- the limit of open files

static Bool get_limit(UWord address)
{
    if (!VG_(am_is_valid_for_client)(address, sizeof(struct vki_rlimit), VKI_PROT_WRITE))
        return False;
    *(struct vki_rlimit *)address = (struct vki_rlimit){inherited.soft, inherited.hard};
    return True;
}

// Above all that the program had: more than the kernel ever allows is refused to the most mighty.
static Bool may_raise(ULong hard)
{
    enum { CAPABILITIES_3 = 0x20080522, SYS_RESOURCE = 24 };
    struct {
        UInt version;
        Int pid;
    } header = {CAPABILITIES_3, 0};
    UInt sets[6] = {0}; // effective, permitted, inheritable, twice
    struct vki_rlimit limit;
    if (syscall4(__NR_capget, (UWord)&header, (UWord)sets, 0, 0) != 0 || !(sets[0] >> SYS_RESOURCE & 1)
        || VG_(getrlimit)(VKI_RLIMIT_NOFILE, &limit) != 0)
        return False;
    if (hard <= limit.rlim_max)
        return True;
    limit.rlim_max = hard;
    return VG_(setrlimit)(VKI_RLIMIT_NOFILE, &limit) == 0;
}

static UWord set_limit(UWord address)
{
    if (!readable(address, sizeof(struct vki_rlimit)))
        return VKI_EFAULT;
    const struct vki_rlimit wanted = *(const struct vki_rlimit *)address;
    if (wanted.rlim_cur > wanted.rlim_max)
        return VKI_EINVAL;
    if (wanted.rlim_max > inherited.hard && !may_raise(wanted.rlim_max))
        return VKI_EPERM;
    inherited.soft = wanted.rlim_cur;
    inherited.hard = wanted.rlim_max;
    VG_(fd_soft_limit) =
        inherited.soft < (ULong)VG_(fd_hard_limit) ? (Int)inherited.soft : VG_(fd_hard_limit);
    return 0;
}

static void answer_limit(core_status *status, UWord set, UWord get)
{
    struct vki_rlimit before = {inherited.soft, inherited.hard};
    UWord error = set ? set_limit(set) : 0;
    if (!error && get) {
        struct vki_rlimit now = {inherited.soft, inherited.hard};
        inherited.soft = before.rlim_cur, inherited.hard = before.rlim_max;
        error = get_limit(get) ? 0 : VKI_EFAULT;
        inherited.soft = now.rlim_cur, inherited.hard = now.rlim_max;
    }
    if (error)
        core_fail(status, error);
    else
        core_succeed(status, 0);
}

CALL(before_getrlimit)
{
    if (arguments->arg[0] == VKI_RLIMIT_NOFILE)
        answer_limit(status, 0, arguments->arg[1]);
    else
        core_before(tid, layout, arguments, status, flags);
}

CALL(before_setrlimit)
{
    if (arguments->arg[0] == VKI_RLIMIT_NOFILE)
        answer_limit(status, arguments->arg[1], 0);
    else
        core_before(tid, layout, arguments, status, flags);
}

CALL(before_prlimit)
{
    Bool own = arguments->arg[0] == 0 || (Int)arguments->arg[0] == VG_(getpid)();
    if (own && arguments->arg[1] == VKI_RLIMIT_NOFILE)
        answer_limit(status, arguments->arg[2], arguments->arg[3]);
    else
        core_before(tid, layout, arguments, status, flags);
}

// Those above all that the program may open are not its own.
CALL(before_fcntl)
{
    if ((Int)arguments->arg[0] >= VG_(fd_hard_limit))
        core_fail(status, VKI_EBADF);
    else
        core_before(tid, layout, arguments, status, flags);
}

// ---------------------------------------------------------------- what /proc says

static Bool is_own_environment(UWord path)
{
    HChar own[40];
    if (!readable(path, 1))
        return False;
    VG_(snprintf)(own, sizeof own, "/proc/%d/environ", VG_(getpid)());
    return VG_(strcmp)((const HChar *)path, "/proc/self/environ") == 0
           || VG_(strcmp)((const HChar *)path, own) == 0;
}

static void open_environment(core_status *status)
{
    Int file = stack_environment_file();
    if (file < 0)
        core_fail(status, (UWord)-file);
    else
        core_succeed(status, (UWord)file);
}

CALL(before_open)
{
    if (is_own_environment(arguments->arg[0]))
        open_environment(status);
    else
        core_before(tid, layout, arguments, status, flags);
}

CALL(before_openat)
{
    if (is_own_environment(arguments->arg[1]))
        open_environment(status);
    else
        core_before(tid, layout, arguments, status, flags);
}

struct directory_entry {
    ULong inode;
    Long next;
    UShort size;
    UChar type;
    HChar name[];
};

static Bool is_list_of_descriptors(Int folder)
{
    const HChar *name;
    if (!VG_(resolve_filename)(folder, &name) || VG_(strncmp)(name, "/proc/", 6) != 0)
        return False;
    SizeT length = VG_(strlen)(name);
    return length > 3 && VG_(strcmp)(name + length - 3, "/fd") == 0;
}

// Ours are left out.
static void after_getdents(ThreadId tid, struct core_arguments *arguments, core_status *status)
{
    struct core_entry *real = __real_vgModuleLocal_get_linux_syscall_entry((UInt)arguments->number);
    if (real->after)
        real->after(tid, arguments, status);
    if (sr_isError(status->result) || !sr_Res(status->result)
        || !is_list_of_descriptors((Int)arguments->arg[0]))
        return;
    HChar *bytes = (HChar *)arguments->arg[1];
    SizeT size = sr_Res(status->result), kept = 0;
    for (SizeT at = 0; at < size;) {
        struct directory_entry *entry = (struct directory_entry *)(bytes + at);
        SizeT length = entry->size;
        if (VG_(strtoll10)(entry->name, NULL) < VG_(fd_hard_limit)) {
            VG_(memmove)(bytes + kept, bytes + at, length);
            kept += length;
        }
        at += length;
    }
    // Nothing at all would say that the list ends here; ours come last.
    core_succeed(status, kept);
}

// ---------------------------------------------------------------- newer than the core

// Calls that concern nothing of the engine's go to the kernel as they are where the core does not know them.
CALL(before_newer)
{
    (void)tid, (void)layout, (void)arguments, (void)status;
    *flags |= CORE_MAY_BLOCK;
}

enum {
    PIDFD_SEND_SIGNAL = 424,
    PIDFD_OPEN = 434,
    OPENAT2 = 437,
    PIDFD_GETFD,
    EPOLL_PWAIT2 = 441,
    CACHESTAT = 451,
    FCHMODAT2,
};

// ---------------------------------------------------------------- the table

static struct {
    UInt number;
    void (*before)(ThreadId, void *, struct core_arguments *, core_status *, UWord *);
    void (*after)(ThreadId, struct core_arguments *, core_status *);
    struct core_entry entry;
} ours[] = {
    {.number = __NR_open, .before = before_open},
    {.number = __NR_clone, .before = before_clone},
    {.number = __NR_execve, .before = following_execve},
    {.number = __NR_fcntl, .before = before_fcntl},
    {.number = __NR_getrlimit, .before = before_getrlimit},
    {.number = __NR_prctl, .before = before_prctl},
    {.number = __NR_setrlimit, .before = before_setrlimit},
    {.number = __NR_getdents64, .after = after_getdents},
    {.number = __NR_openat, .before = before_openat},
    {.number = __NR_prlimit64, .before = before_prlimit},
    {.number = 317 /* seccomp */, .before = before_seccomp},
    {.number = __NR_execveat, .before = following_execveat},
};

static const UInt newer[] = {PIDFD_SEND_SIGNAL, PIDFD_OPEN, OPENAT2, PIDFD_GETFD,
                             EPOLL_PWAIT2,      CACHESTAT,  FCHMODAT2};

struct core_entry *__wrap_vgModuleLocal_get_linux_syscall_entry(UInt number)
{
    struct core_entry *real = __real_vgModuleLocal_get_linux_syscall_entry(number);
    for (UInt i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (ours[i].number != number)
            continue;
        ours[i].entry.before = ours[i].before ? ours[i].before : real->before;
        ours[i].entry.after = ours[i].after ? ours[i].after : real ? real->after : NULL;
        return &ours[i].entry;
    }
    static struct core_entry as_it_is = {before_newer, NULL};
    for (UInt i = 0; i < sizeof newer / sizeof *newer; i++)
        if (newer[i] == number && (!real || !real->before))
            return &as_it_is;
    return real;
}

void calls_mmap_failed(UWord size, UWord flags, UWord error)
{
    if ((flags & VKI_MAP_FIXED) || size >> 36)
        SAY_ONCE(SAY_TOLD,
                 "the program asked for a mapping (%lu bytes) for which the collector's address space has no "
                 "room, and was refused it (error %lu)",
                 size, error);
}

void calls_before(UInt number)
{
    switch (number) {
    case __NR_setuid: case __NR_setreuid: case __NR_setresuid: case __NR_setfsuid:
        if (VG_(geteuid)() == 0)
            inherited_open_up();
        break;
    default:
        break;
    }
}
