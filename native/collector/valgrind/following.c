// SPDX-License-Identifier: GPL-2.0-or-later
#include "following.h"

#include <elf.h>

#include "executable.h"
#include "inherited.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "saying.h"
#include "script.h"
#include "stack.h"
#include "syscalls.h"

enum {
    AT_EMPTY = 0x1000,
    AT_FOLDER = -100, // AT_FDCWD
    HEAD_BYTES = 1024,
    PATH_BYTES = 4096,
    TOOLS_AT = 0x58000000, // where Valgrind's tools are linked to
    OLD_TOOLS_AT = 0x38000000,
};

static const HChar ANOTHER_TOOL[] =
    "is a collector or a tool of Valgrind, which cannot run under another one";

Bool (*following_recorded)(void);

// The exec under way, in the program's words.
static struct {
    const HChar *path;
    HChar **argv, **envp;
    const HChar *why_not; // NULL: the next image is recorded
} pending;

// ---------------------------------------------------------------- what can be recorded

static Bool is_tool(const HChar *head, SizeT size)
{
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)head;
    for (UInt i = 0; i < elf->e_phnum; i++) {
        SizeT at = elf->e_phoff + i * sizeof(Elf64_Phdr);
        if (at + sizeof(Elf64_Phdr) > size)
            return False;
        const Elf64_Phdr *segment = (const Elf64_Phdr *)(head + at);
        if (segment->p_type == PT_LOAD)
            return segment->p_vaddr == TOOLS_AT || segment->p_vaddr == OLD_TOOLS_AT;
    }
    return False;
}

static const HChar *elf_why_not(const HChar *head, SizeT size)
{
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)head;
    if (size < sizeof *elf || elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_ident[EI_DATA] != ELFDATA2LSB
        || elf->e_machine != EM_X86_64)
        return "is no program for 64-bit x86";
    return is_tool(head, size) ? ANOTHER_TOOL : NULL;
}

static Bool gains_rights(const HChar *path)
{
    struct vg_stat status;
    HChar ignored[64];
    if (sr_isError(VG_(stat)(path, &status)))
        return False;
    return (status.mode & (VKI_S_ISUID | VKI_S_ISGID))
           || syscall4(__NR_getxattr, (UWord)path, (UWord) "security.capability", (UWord)ignored,
                       sizeof ignored) > 0;
}

static const HChar *file_why_not(const HChar *path, UInt depth)
{
    HChar head[HEAD_BYTES + 1] = "";
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return sr_Err(opened) == VKI_EACCES ? "may not be read" : NULL;
    Int size = VG_(read)((Int)sr_Res(opened), head, HEAD_BYTES);
    VG_(close)((Int)sr_Res(opened));
    if (size > 4 && VG_(memcmp)(head, ELFMAG, SELFMAG) == 0)
        return gains_rights(path) ? "runs with rights of its own (setuid, setgid or capabilities)"
                                  : elf_why_not(head, (SizeT)size);
    HChar *interpreter, *argument;
    if (depth < SCRIPT_MOST && script_words(head, (SizeT)size, &interpreter, &argument))
        return file_why_not(interpreter, depth + 1);
    return NULL;
}

// One that is started under this tool finds no descriptors left for its own.
static Bool is_launcher(const HChar *path)
{
    const HChar *slash = VG_(strrchr)(path, '/');
    return VG_(strcmp)(slash ? slash + 1 : path, "phasemark-launcher") == 0;
}

static const HChar *why_not(const HChar *path)
{
    if (!following_recorded())
        return "was started by a process that is not recorded";
    if (VG_(access)("/proc/self/maps", True, False, False) != 0)
        return "runs where there is no /proc";
    if (is_launcher(path))
        return ANOTHER_TOOL;
    return file_why_not(path, 0);
}

// Asked by the core once a path is known to be one.
Bool OURS(should_we_trace_this_child)(const HChar *path, const HChar **argv)
{
    (void)argv;
    if (!pending.path)
        pending.path = path;
    pending.why_not = path && *path ? why_not(path) : NULL;
    return pending.why_not == NULL;
}

// The kernel asks for no right to read what it executes.
SysRes OURS(pre_exec_check)(const HChar *path, Int *fd, Bool allow_setuid)
{
    SysRes checked = CORE(pre_exec_check)(path, fd, allow_setuid);
    if (fd)
        return checked;
    if (sr_isError(checked)
        && !(pending.why_not && VG_(access)(path, False, False, True) == 0 && sr_Err(checked) == VKI_EACCES))
        return checked;
    UWord error = executable_error(path, (UWord)pending.argv, (UWord)pending.envp);
    return error ? VG_(mk_SysRes_Error)(error) : VG_(mk_SysRes_Success)(0);
}

// ---------------------------------------------------------------- executing

static UInt count(HChar **list)
{
    UInt n = 0;
    while (list && list[n])
        n++;
    return n;
}

static HChar *joined(const HChar *name, const HChar *value)
{
    SizeT bytes = VG_(strlen)(name) + VG_(strlen)(value) + 1;
    HChar *text = VG_(malloc)("phasemark.exec", bytes);
    VG_(snprintf)(text, (Int)bytes, "%s%s", name, value);
    return text;
}

// The words of the first line of a script; False for another file.
static Bool read_script(const HChar *path, HChar *head, HChar **interpreter, HChar **argument)
{
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return False;
    Int size = VG_(read)((Int)sr_Res(opened), head, SCRIPT_HEAD);
    VG_(close)((Int)sr_Res(opened));
    if (size < 0)
        return False;
    head[size] = '\0';
    return script_words(head, (SizeT)size, interpreter, argument);
}

// One whose interpreter has a name of its own.
static Bool is_script(void)
{
    HChar head[SCRIPT_HEAD + 1], *interpreter, *argument;
    return read_script(pending.path, head, &interpreter, &argument);
}

// The engine reads the first line of one script. Where another interprets it, that one is executed, with the
// arguments that the kernel would give it.
static HChar **with_interpreters(HChar **argv)
{
    static HChar heads[SCRIPT_MOST + 1][SCRIPT_HEAD + 1];
    HChar *interpreter, *argument, *next, *ignored;
    UInt depth = 0, at = 0;
    while (argv[at] && argv[at] != pending.path)
        at++;
    if (!argv[at] || !read_script(pending.path, heads[0], &interpreter, &argument))
        return argv;
    while (++depth <= SCRIPT_MOST && read_script(interpreter, heads[depth], &next, &ignored)) {
        UInt more = argument ? 2 : 1, words = count(argv);
        HChar **all = VG_(malloc)("phasemark.exec", (words + more + 1) * sizeof *all);
        VG_(memcpy)(all, argv, at * sizeof *all);
        all[at] = interpreter;
        if (argument)
            all[at + 1] = argument;
        VG_(memcpy)(all + at + more, argv + at, (words - at + 1) * sizeof *all);
        argv = all;
        interpreter = next;
        argument = ignored;
    }
    return argv;
}

// The program's environment, and before it what the next image needs and takes out again.
static HChar **environment(void)
{
    UInt n = 0;
    HChar **all = VG_(malloc)("phasemark.exec", (count(pending.envp) + 4) * sizeof *all);
    all[n++] = joined("VALGRIND_LAUNCHER=", VG_(name_of_launcher));
    all[n++] = joined("VALGRIND_LIB=", VG_(libdir));
    if (pending.argv && pending.argv[0] && VG_(strcmp)(pending.argv[0], pending.path) != 0 && !is_script())
        all[n++] = joined(STACK_ARGV0, pending.argv[0]);
    for (HChar **entry = pending.envp; entry && *entry; entry++)
        all[n++] = *entry;
    all[n] = NULL;
    return all;
}

static SysRes execute(UWord path, UWord argv, UWord envp)
{
    return CORE(do_syscall)(__NR_execve, path, argv, envp, 0, 0, 0, 0, 0);
}

static SysRes execute_without(const HChar *why)
{
    say(SAY_LEFT, "%s %s, and ran without being recorded", pending.path, why);
    inherited_hide();
    SysRes result = execute((UWord)pending.path, (UWord)pending.argv, (UWord)pending.envp);
    inherited_show();
    return result;
}

static SysRes execute_pending(UWord argv)
{
    if (pending.why_not)
        return execute_without(pending.why_not);
    inherited_make_room();
    CORE(do_syscall)
    (__NR_execveat, (UWord)inherited.tool, (UWord) "", (UWord)with_interpreters((HChar **)argv),
     (UWord)environment(), AT_EMPTY, 0, 0, 0);
    // Its arguments may have become too long, say. What is behind us cannot be gone back to.
    return execute_without("could not be started under the collector");
}

SysRes OURS(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e, UWord f, UWord g, UWord h)
{
    if (number == __NR_execve && pending.path)
        return execute_pending(b);
    return CORE(do_syscall)(number, a, b, c, d, e, f, g, h);
}

static const HChar **given_option(void)
{
    static const HChar name[] = "--inherited=";
    for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
        const HChar **argument = VG_(indexXA)(VG_(args_for_valgrind), i);
        if (VG_(strncmp)(*argument, name, sizeof name - 1) == 0)
            return argument;
    }
    return NULL;
}

static void pass_option_on(void)
{
    const HChar **option = given_option();
    if (option)
        *option = inherited_option();
}

// ---------------------------------------------------------------- the program's calls

static Bool is_own_program(const HChar *path)
{
    HChar own[40];
    VG_(snprintf)(own, sizeof own, "/proc/%d/exe", VG_(getpid)());
    return VG_(strcmp)(path, "/proc/self/exe") == 0 || VG_(strcmp)(path, "/proc/thread-self/exe") == 0
           || VG_(strcmp)(path, own) == 0;
}

static Bool is_program_file(Int file)
{
    HChar head[SELFMAG];
    HChar path[40];
    VG_(snprintf)(path, sizeof path, "/proc/self/fd/%d", file);
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return False;
    Bool is = VG_(read)((Int)sr_Res(opened), head, SELFMAG) == SELFMAG
              && VG_(memcmp)(head, ELFMAG, SELFMAG) == 0;
    VG_(close)((Int)sr_Res(opened));
    return is;
}

// A name of an open program that holds in the next image; its own, if that is still the same file.
static const HChar *path_of(Int file, HChar *room)
{
    HChar link[40];
    struct vg_stat named, open;
    VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", file);
    SSizeT length = VG_(readlink)(link, room, PATH_BYTES - 1);
    if (length > 0) {
        room[length] = '\0';
        if (!sr_isError(VG_(stat)(room, &named)) && !sr_isError(VG_(stat)(link, &open))
            && named.ino == open.ino && named.dev == open.dev)
            return room;
    }
    Long kept = syscall4(__NR_fcntl, file, VKI_F_DUPFD, VG_(fd_hard_limit), 0);
    if (kept < 0)
        return NULL;
    VG_(snprintf)(room, PATH_BYTES, "/proc/self/fd/%d", (Int)kept);
    return room;
}

// The next image would take a name that begins so for an option.
static const HChar *no_option(const HChar *path)
{
    static HChar named[PATH_BYTES];
    if (*path != '-' || VG_(strlen)(path) + 3 > sizeof named)
        return path;
    VG_(snprintf)(named, sizeof named, "./%s", path);
    return named;
}

// The kernel takes a list that is not there for an empty one. The core holds a call to the words it was made
// with: these are a copy.
static struct core_arguments with_lists(const struct core_arguments *given, UInt argv)
{
    struct core_arguments all = *given;
    for (UInt i = argv; i < argv + 2; i++)
        if (!all.arg[i])
            all.arg[i] = stack_empty_list();
    return all;
}

static void execute_for(ThreadId tid, core_status *status, const HChar *path, UWord argv, UWord envp)
{
    path = no_option(path);
    pending.path = path;
    pending.argv = (HChar **)argv;
    pending.envp = (HChar **)envp;
    pass_option_on();
    handle_pre_sys_execve(tid, status, (Addr)path, argv, envp, CORE_EXECVE, False);
    pending.path = NULL; // it was refused
}

void following_execve(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status,
                      UWord *flags)
{
    (void)layout, (void)flags;
    static HChar room[PATH_BYTES];
    const HChar *path = (const HChar *)arguments->arg[0];
    if (!VG_(am_is_valid_for_client)((Addr)path, 1, VKI_PROT_READ)) {
        core_fail(status, VKI_EFAULT);
        return;
    }
    struct core_arguments all = with_lists(arguments, 1);
    if (is_own_program(path)) {
        const HChar *own = path_of(VG_(cl_exec_fd), room);
        path = own ? own : path;
    }
    execute_for(tid, status, path, all.arg[1], all.arg[2]);
}

void following_execveat(ThreadId tid, void *layout, struct core_arguments *arguments, core_status *status,
                        UWord *flags)
{
    static HChar room[PATH_BYTES];
    const HChar *name = (const HChar *)arguments->arg[1];
    Int file = (Int)arguments->arg[0];
    struct core_arguments all = with_lists(arguments, 2);
    Bool is_name = VG_(am_is_valid_for_client)((Addr)name, 1, VKI_PROT_READ);
    if (is_name && name[0] && file == AT_FOLDER && !(arguments->arg[4] & ~(UWord)AT_EMPTY)) {
        execute_for(tid, status, name, all.arg[2], all.arg[3]);
        return;
    }
    if ((arguments->arg[4] & AT_EMPTY) && is_name && name[0] == '\0' && file >= 0
        && file < VG_(fd_hard_limit) && is_program_file(file)) {
        const HChar *path = path_of(file, room);
        if (path) {
            execute_for(tid, status, path, all.arg[2], all.arg[3]);
            return;
        }
    }
    pending.argv = (HChar **)all.arg[2];
    pending.envp = (HChar **)all.arg[3];
    pass_option_on();
    core_before(tid, layout, &all, status, flags);
    pending.path = NULL;
}

// ---------------------------------------------------------------- beginning

// The program is looked for in PATH, what it executes is not: to the kernel a name without a slash is one in
// the working folder.
const HChar *OURS(find_executable)(const HChar *name)
{
    const HChar **option = given_option();
    return option && VG_(strstr)(*option, INHERITED_EXEC) ? name : CORE(find_executable)(name);
}

void following_begin(void)
{
    static const HChar name[] = "/proc/self/fd/";
    HChar *end;
    if (VG_(strncmp)(VG_(args_the_exename), name, sizeof name - 1) != 0)
        return;
    Long file = VG_(strtoll10)(VG_(args_the_exename) + sizeof name - 1, &end);
    if (!*end && file >= VG_(fd_hard_limit))
        VG_(close)((Int)file);
}

void following_without(void)
{
    pending.path = VG_(args_the_exename);
    pending.argv = stack_arguments();
    pending.envp = VG_(client_envp);
    execute_without("could not be recorded: its file in the output folder could not be made");
    pending.path = NULL;
}
