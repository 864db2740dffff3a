// SPDX-License-Identifier: GPL-2.0-or-later
#include "saying.h"

#include <stdarg.h>

#include "core.h"
#include "inherited.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "syscalls.h"

enum { LOG = 0x7fffff00, LINE_BYTES = 3000, SENTENCE_BYTES = 2500 };

void (*saying_last)(Bool between);

void say(const HChar *kind, const HChar *format, ...)
{
    HChar sentence[SENTENCE_BYTES], line[LINE_BYTES];
    va_list values;
    va_start(values, format);
    VG_(vsnprintf)(sentence, sizeof sentence, format, values);
    va_end(values);
    for (HChar *at = sentence; *at; at++)
        if (*at == '\n')
            *at = '?';
    UInt length = VG_(snprintf)(line, sizeof line, "%s %d %s\n", kind, VG_(getpid)(), sentence);
    // At once: lines of several processes do not mix.
    CORE(write)(inherited.notes, line, (Int)length);
}

void saying_begin(void)
{
    if (VG_(log_output_sink).fd > 2)
        VG_(close)(VG_(log_output_sink).fd);
    VG_(log_output_sink).fd = LOG;
}

// A file with nothing in it says nothing: it is made when there is something to write.
static Int log_file(void)
{
    static Int file = -1, owner;
    HChar name[40];
    if (owner == VG_(getpid)())
        return file;
    owner = VG_(getpid)();
    VG_(snprintf)(name, sizeof name, "%d.log", owner);
    file = inherited_open(name, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_APPEND);
    if (file >= 0)
        file = VG_(safe_fd)(file);
    return file;
}

Int OURS(write)(Int fd, const void *bytes, Int size)
{
    if (fd != LOG)
        return CORE(write)(fd, bytes, size);
    Int file = size > 0 ? log_file() : -1;
    return file < 0 ? size : CORE(write)(file, bytes, size);
}

static void end(const HChar *why, Bool between)
{
    static Bool ending;
    if (!ending && saying_last) {
        ending = True;
        say(SAY_STOPPED, "%s", why);
        saying_last(between);
    }
}

void OURS(unimplemented)(const HChar *format, ...)
{
    HChar why[SENTENCE_BYTES];
    va_list values;
    va_start(values, format);
    VG_(vsnprintf)(why, sizeof why, format, values);
    va_end(values);
    end(why, True);
    CORE(unimplemented)("%s", why);
}

void OURS(core_panic)(const HChar *why)
{
    end(why, False);
    CORE(core_panic)(why);
}
