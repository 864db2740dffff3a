// SPDX-License-Identifier: GPL-2.0-or-later
// What Valgrind's core exports in all of its versions, and declares in its own headers alone. Functions
// whose calls within the core are led to ours (`--wrap` in CMakeLists.txt) are here twice, as the linker
// names them.
#ifndef PHASEMARK_CORE_H
#define PHASEMARK_CORE_H

#include "pub_tool_basics.h"

#define CORE(name) __real_vgPlain_##name
#define OURS(name) __wrap_vgPlain_##name

// ---------------------------------------------------------------- state

struct core_sink {
    Int fd;
    Int type;
    HChar *name;
};

extern struct core_sink VG_(log_output_sink);
extern Int VG_(fd_soft_limit), VG_(fd_hard_limit);
extern Int VG_(cl_exec_fd), VG_(cl_cmdline_fd);
extern HChar **VG_(client_envp);
extern UWord *VG_(client_auxv);
extern const HChar *VG_(name_of_launcher);
extern Int VG_(clo_smc_check);

enum { CORE_SMC_ALL = 2 }; // all translations check that their code is what it was

extern SysRes VG_(mk_SysRes_Error)(UWord error);
extern SysRes VG_(mk_SysRes_Success)(UWord result);
extern Int VG_(access)(const HChar *path, Bool read, Bool write, Bool execute);
extern Bool VG_(resolve_filename)(Int fd, const HChar **name);
extern void VG_(discard_translations)(Addr start, ULong length, const HChar *who);
// A thread's record, which begins with its number.
extern void *VG_(get_ThreadState)(ThreadId tid);
extern Bool VG_(is_valid_tid)(ThreadId tid); // whether there is such a thread, perhaps ended

// ---------------------------------------------------------------- system calls of the program

struct core_arguments {
    Word number;
    UWord arg[8];
};

enum { CORE_COMPLETE = 1, CORE_MAY_BLOCK = 2 };

typedef struct SyscallStatus {
    UInt what;
    SysRes result;
} core_status;

struct core_entry {
    void (*before)(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status,
                   UWord *flags);
    void (*after)(ThreadId tid, struct core_arguments *arguments, core_status *status);
};

struct core_entry *__real_vgModuleLocal_get_linux_syscall_entry(UInt number);
struct core_entry *__wrap_vgModuleLocal_get_linux_syscall_entry(UInt number);

// As the core itself would do it.
static inline void core_before(ThreadId tid, void *layout, struct core_arguments *arguments,
                               core_status *status, UWord *flags)
{
    __real_vgModuleLocal_get_linux_syscall_entry((UInt)arguments->number)
        ->before(tid, layout, arguments, status, flags);
}

static inline void core_fail(core_status *status, UWord error)
{
    status->what = CORE_COMPLETE;
    status->result = VG_(mk_SysRes_Error)(error);
}

static inline void core_succeed(core_status *status, UWord result)
{
    status->what = CORE_COMPLETE;
    status->result = VG_(mk_SysRes_Success)(result);
}

// What makes an exec of it, down to the execution itself; returns if that was refused.
void handle_pre_sys_execve(ThreadId tid, core_status *status, Addr path, Addr argv, Addr envp, UInt type,
                           Bool check);

enum { CORE_EXECVE = 0 };

// ---------------------------------------------------------------- functions led to ours

SysRes CORE(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e, UWord f, UWord g, UWord h);
SysRes OURS(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e, UWord f, UWord g, UWord h);
Bool OURS(should_we_trace_this_child)(const HChar *path, const HChar **argv);
SysRes CORE(pre_exec_check)(const HChar *path, Int *fd, Bool allow_setuid);
SysRes OURS(pre_exec_check)(const HChar *path, Int *fd, Bool allow_setuid);
Int CORE(mkstemp)(const HChar *part, HChar *name);
Int OURS(mkstemp)(const HChar *part, HChar *name);
Int CORE(unlink)(const HChar *name);
Int OURS(unlink)(const HChar *name);
Int CORE(write)(Int fd, const void *bytes, Int size);
Int OURS(write)(Int fd, const void *bytes, Int size);
void CORE(unimplemented)(const HChar *format, ...) __attribute__((noreturn));
void OURS(unimplemented)(const HChar *format, ...) __attribute__((noreturn));
Int CORE(load_script)(Int file, const HChar *name, void *image);
Int OURS(load_script)(Int file, const HChar *name, void *image);
const HChar *CORE(find_executable)(const HChar *name);
const HChar *OURS(find_executable)(const HChar *name);
ULong OURS(di_notify_mmap)(Addr address, Bool allow_written, Int file);
ThreadId CORE(scheduler_init_phase1)(void);
ThreadId OURS(scheduler_init_phase1)(void);
ThreadId CORE(alloc_ThreadState)(void);
ThreadId OURS(alloc_ThreadState)(void);
void CORE(client_syscall)(ThreadId tid, UInt trap);
void OURS(client_syscall)(ThreadId tid, UInt trap);
void CORE(core_panic)(const HChar *why) __attribute__((noreturn));
void OURS(core_panic)(const HChar *why) __attribute__((noreturn));

#endif
