// SPDX-License-Identifier: GPL-2.0-or-later
#include "executable.h"

#include <elf.h>

#include "core.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "script.h"
#include "syscalls.h"

enum {
    PATH_BYTES = 4096,
    MOST_SEGMENTS = 65536 / sizeof(Elf64_Phdr),
    AT_EMPTY = 0x1000,
    CLOSE_ON_EXEC = 1,
    BAD_LIBRARY = 80, // ELIBBAD
};

static UWord script_error(HChar *head, SizeT size, UInt depth);

static Int open_to_read(const HChar *path)
{
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    return sr_isError(opened) ? -1 : (Int)sr_Res(opened);
}

static SizeT read_at(Int file, void *bytes, SizeT size, OffT offset)
{
    if (VG_(lseek)(file, offset, VKI_SEEK_SET) != offset)
        return 0;
    Int got = VG_(read)(file, bytes, (Int)size);
    return got > 0 ? (SizeT)got : 0;
}

static UWord access_error(const HChar *path)
{
    struct vg_stat status;
    if (!*path)
        return VKI_EACCES;
    SysRes found = VG_(stat)(path, &status);
    if (sr_isError(found))
        return sr_Err(found);
    return VKI_S_ISREG(status.mode) && VG_(access)(path, False, False, True) == 0 ? 0 : VKI_EACCES;
}

// ---------------------------------------------------------------- programs

static UWord interpreter_error(Int file, const Elf64_Phdr *segment)
{
    HChar name[PATH_BYTES], magic[SELFMAG];
    if (segment->p_filesz < 2 || segment->p_filesz > PATH_BYTES)
        return VKI_ENOEXEC;
    if (read_at(file, name, segment->p_filesz, (OffT)segment->p_offset) != segment->p_filesz)
        return VKI_EIO;
    if (name[segment->p_filesz - 1] != '\0')
        return VKI_ENOEXEC;
    UWord error = access_error(name);
    Int interpreter = error ? -1 : open_to_read(name);
    if (interpreter < 0)
        return error;
    Bool is_elf = read_at(interpreter, magic, SELFMAG, 0) == SELFMAG
                  && VG_(memcmp)(magic, ELFMAG, SELFMAG) == 0;
    VG_(close)(interpreter);
    return is_elf ? 0 : BAD_LIBRARY;
}

static UWord program_error(Int file, const Elf64_Ehdr *elf)
{
    if (elf->e_ident[EI_CLASS] == ELFCLASS32 || (elf->e_machine != EM_X86_64 && elf->e_machine != EM_NONE))
        return 0; // another format's affair
    if ((elf->e_type != ET_EXEC && elf->e_type != ET_DYN) || elf->e_machine != EM_X86_64
        || elf->e_phentsize != sizeof(Elf64_Phdr) || elf->e_phnum == 0 || elf->e_phnum > MOST_SEGMENTS)
        return VKI_ENOEXEC;
    Bool is_interpreted = False;
    Elf64_Phdr interpreter;
    for (UInt i = 0; i < elf->e_phnum; i++) {
        Elf64_Phdr segment;
        OffT offset = (OffT)(elf->e_phoff + i * sizeof segment);
        if (read_at(file, &segment, sizeof segment, offset) != sizeof segment)
            return VKI_ENOEXEC;
        if (segment.p_type == PT_INTERP && !is_interpreted) {
            is_interpreted = True;
            interpreter = segment;
        }
    }
    return is_interpreted ? interpreter_error(file, &interpreter) : 0;
}

static UWord file_error(const HChar *path, UInt depth)
{
    HChar head[SCRIPT_HEAD + 1] = "";
    Int file = open_to_read(path);
    if (file < 0)
        return 0; // it may be executed all the same
    SizeT size = read_at(file, head, SCRIPT_HEAD, 0);
    UWord error = 0;
    if (VG_(memcmp)(head, ELFMAG, SELFMAG) == 0)
        error = program_error(file, (const Elf64_Ehdr *)head);
    VG_(close)(file);
    return head[0] == '#' && head[1] == '!' ? script_error(head, size, depth) : error;
}

// ---------------------------------------------------------------- scripts

static UWord script_error(HChar *head, SizeT size, UInt depth)
{
    HChar *interpreter, *argument;
    if (!script_words(head, size, &interpreter, &argument))
        return VKI_ENOEXEC;
    UWord error = access_error(interpreter);
    if (error)
        return error;
    return depth == SCRIPT_MOST ? VKI_ELOOP : file_error(interpreter, depth + 1);
}

// ---------------------------------------------------------------- arguments

// The kernel takes arguments before it looks at what to execute: here a file that it then does not know.
static UWord arguments_error(UWord argv, UWord envp)
{
    HChar path[40];
    Int written = (Int)syscall4(__NR_memfd_create, (UWord) "exec", CLOSE_ON_EXEC, 0, 0);
    if (written < 0)
        return 0;
    VG_(write)(written, "none", 4);
    VG_(snprintf)(path, sizeof path, "/proc/self/fd/%d", written);
    Int file = open_to_read(path); // one that is open for writing is not executed
    VG_(close)(written);
    if (file < 0)
        return 0;
    SysRes tried = CORE(do_syscall)(__NR_execveat, (UWord)file, (UWord) "", argv, envp, AT_EMPTY, 0, 0, 0);
    VG_(close)(file);
    return sr_Err(tried) == VKI_E2BIG || sr_Err(tried) == VKI_EFAULT ? sr_Err(tried) : 0;
}

UWord executable_error(const HChar *path, UWord argv, UWord envp)
{
    UWord error = arguments_error(argv, envp);
    return error ? error : file_error(path, 0);
}
