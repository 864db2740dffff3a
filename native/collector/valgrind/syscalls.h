// SPDX-License-Identifier: GPL-2.0-or-later
// The few system calls that Valgrind does not wrap for tools.
#ifndef PHASEMARK_SYSCALLS_H
#define PHASEMARK_SYSCALLS_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

static inline Long syscall4(UWord number, UWord a, UWord b, UWord c, UWord d)
{
    Long result;
    register UWord r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static inline Bool sys_ftruncate(Int fd, ULong size)
{
    return syscall4(__NR_ftruncate, fd, size, 0, 0) == 0;
}

static inline Bool sys_getcwd(HChar *path, SizeT size)
{
    return syscall4(__NR_getcwd, (UWord)path, size, 0, 0) > 0;
}

// Takes back a pending signal, if there is one.
static inline void sys_discard_signal(Int signal)
{
    const ULong set = 1ULL << (signal - 1);
    const struct vki_timespec now = {0, 0};
    syscall4(__NR_rt_sigtimedwait, (UWord)&set, 0, (UWord)&now, sizeof set);
}

// Valgrind's own: moves a descriptor to where the program cannot see, use or close it. Exported
// by all of its versions, though only declared in its core headers.
extern Int VG_(safe_fd)(Int fd);

#endif
