// SPDX-License-Identifier: GPL-2.0-or-later
#include "stack.h"

#include "core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "syscalls.h"

enum { NO_NAME = '\0', AUX_END = 0 };

static HChar *environment; // as the program was given it, each string with its NUL
static SizeT environment_bytes;

static Bool begins(const HChar *text, const HChar *with)
{
    return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

// ---------------------------------------------------------------- environment

// Removes one string's place; what follows on the stack, to the end of the auxiliary vector, moves down.
static void remove_entry(HChar **entry)
{
    UWord *end = VG_(client_auxv);
    while (end[0] != AUX_END)
        end += 2;
    end += 2;
    for (UWord *at = (UWord *)entry; at + 1 < end; at++)
        at[0] = at[1];
    VG_(client_auxv)--;
}

static HChar *take_first(const HChar *name)
{
    HChar *entry = VG_(client_envp)[0];
    if (!entry || !begins(entry, name))
        return NULL;
    remove_entry(VG_(client_envp));
    return entry + VG_(strlen)(name);
}

// Valgrind puts its library before the program's own LD_PRELOAD.
static void restore_preload(const HChar *library)
{
    static const HChar name[] = "LD_PRELOAD=";
    for (HChar **entry = VG_(client_envp); *entry;) {
        HChar *value = *entry + sizeof name - 1;
        if (!begins(*entry, name) || !begins(value, library)) {
            entry++;
            continue;
        }
        HChar *end = VG_(strstr)(value + VG_(strlen)(library), ".so");
        if (end && end[3] == ':') {
            VG_(memmove)(value, end + 4, VG_(strlen)(end + 4) + 1);
            entry++;
        } else {
            remove_entry(entry);
        }
    }
}

static void keep_environment(void)
{
    for (HChar **entry = VG_(client_envp); *entry; entry++)
        environment_bytes += VG_(strlen)(*entry) + 1;
    environment = VG_(malloc)("phasemark.environment", environment_bytes + 1);
    HChar *at = environment;
    for (HChar **entry = VG_(client_envp); *entry; entry++) {
        SizeT bytes = VG_(strlen)(*entry) + 1;
        VG_(memcpy)(at, *entry, bytes);
        at += bytes;
    }
}

Int stack_environment_file(void)
{
    Int file = (Int)syscall4(__NR_memfd_create, (UWord) "environ", 0, 0, 0);
    if (file >= 0) {
        VG_(write)(file, environment, (Int)environment_bytes);
        VG_(lseek)(file, 0, VKI_SEEK_SET);
    }
    return file;
}

// ---------------------------------------------------------------- arguments

HChar **stack_arguments(void)
{
    HChar **at = VG_(client_envp) - 1; // the NULL after the arguments
    UWord count = 0;
    while ((UWord)at[-1] != count) {
        at--;
        count++;
    }
    return at;
}

UWord stack_empty_list(void)
{
    HChar **end = (HChar **)VG_(client_auxv) - 1; // of the environment
    return VG_(am_is_valid_for_client)((Addr)end, sizeof *end, VKI_PROT_READ) && !*end ? (UWord)end : 0;
}

// /proc/self/cmdline, which Valgrind makes of other words where a script runs.
static void rewrite_command_line(void)
{
    sys_ftruncate(VG_(cl_cmdline_fd), 0);
    VG_(lseek)(VG_(cl_cmdline_fd), 0, VKI_SEEK_SET);
    for (HChar **argument = stack_arguments(); *argument; argument++)
        VG_(write)(VG_(cl_cmdline_fd), *argument, (Int)VG_(strlen)(*argument) + 1);
}

static void name_process(void)
{
    enum { PR_SET_NAME = 15 };
    const HChar *slash = VG_(strrchr)(VG_(args_the_exename), '/');
    syscall4(__NR_prctl, PR_SET_NAME, (UWord)(slash ? slash + 1 : VG_(args_the_exename)), 0, 0);
}

void stack_clean(void)
{
    HChar *folder = take_first("VALGRIND_LIB=");
    HChar *first = take_first(STACK_ARGV0);
    if (folder)
        restore_preload(folder);
    if (first)
        *stack_arguments() = first;
    keep_environment();
    rewrite_command_line();
    name_process();
}

// ---------------------------------------------------------------- Valgrind's own files

// Those behind /proc/self/cmdline and its like need no folder for temporary files.
Int OURS(mkstemp)(const HChar *part, HChar *name)
{
    enum { CLOSE_ON_EXEC = 1 };
    Int file = (Int)syscall4(__NR_memfd_create, (UWord)part, CLOSE_ON_EXEC, 0, 0);
    if (file < 0)
        return CORE(mkstemp)(part, name);
    name[0] = NO_NAME;
    return VG_(safe_fd)(file);
}

Int OURS(unlink)(const HChar *name)
{
    return name[0] == NO_NAME ? 0 : CORE(unlink)(name);
}
