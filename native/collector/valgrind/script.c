// SPDX-License-Identifier: GPL-2.0-or-later
#include "script.h"

#include "core.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "syscalls.h"

static Bool is_blank(HChar c)
{
    return c == ' ' || c == '\t';
}

// The first of these characters that is no blank; NULL: there is none.
static HChar *after_blanks(HChar *first, const HChar *last)
{
    for (; first <= last; first++)
        if (!is_blank(*first))
            return first;
    return NULL;
}

static HChar *end_of_word(HChar *first, const HChar *last)
{
    for (; first <= last; first++)
        if (is_blank(*first) || *first == '\0')
            return first;
    return NULL;
}

static HChar *end_of_line(HChar *head, const HChar *last)
{
    for (; head <= last && *head; head++)
        if (*head == '\n')
            return head;
    return NULL;
}

// fs/binfmt_script.c: behind a file that ends earlier there are NULs, and of a line that is longer all but the
// last byte of the head is taken.
Bool script_words(HChar *head, SizeT size, HChar **interpreter, HChar **argument)
{
    if (size < 2 || head[0] != '#' || head[1] != '!')
        return False;
    if (size < SCRIPT_HEAD)
        VG_(memset)(head + size, 0, SCRIPT_HEAD - size);
    HChar *first = head + 2, *last = head + SCRIPT_HEAD - 1;
    HChar *end = end_of_line(head, last);
    if (!end) {
        HChar *name = after_blanks(first, last);
        if (!name || !end_of_word(name, last))
            return False;
        end = last;
    }
    while (is_blank(end[-1]))
        end--;
    HChar *name = after_blanks(first, end);
    if (!name || name == end)
        return False;
    HChar *gap = end_of_word(name, end);
    *interpreter = name;
    *argument = gap && *gap ? after_blanks(gap, end) : NULL;
    *end = '\0';
    if (*argument)
        *gap = '\0';
    return True;
}

// ---------------------------------------------------------------- in the core

// The core takes all of a line, and blanks at its end: it is given a file that has the words as they are. It
// leaves out an argument that is empty, as one is if nothing but blanks follows to the end of the file.
Int OURS(load_script)(Int file, const HChar *name, void *image)
{
    HChar head[SCRIPT_HEAD + 1] = "", line[SCRIPT_HEAD + 4], *interpreter, *argument;
    VG_(lseek)(file, 0, VKI_SEEK_SET);
    Int size = VG_(read)(file, head, SCRIPT_HEAD);
    if (size < 0 || !script_words(head, (SizeT)size, &interpreter, &argument))
        return VKI_ENOEXEC;
    Int written = (Int)syscall4(__NR_memfd_create, (UWord) "script", 0, 0, 0);
    if (written < 0)
        return CORE(load_script)(file, name, image);
    UInt length = VG_(snprintf)(line, sizeof line, "#!%s %s\n", interpreter, argument ? argument : "");
    VG_(write)(written, line, (Int)length);
    Int error = CORE(load_script)(written, name, image);
    VG_(close)(written);
    return error;
}
