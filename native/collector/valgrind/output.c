// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include "inherited.h"
#include "options.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "saying.h"
#include "syscalls.h"

enum { PATH_BYTES = 4096, SENTENCE_BYTES = PATH_BYTES + 100, MOST_SERIALS = 1000000 };

static Int file = -1;
static HChar path[PATH_BYTES + 32];
static HChar error[SENTENCE_BYTES];
static ULong written;  // whole records, in bytes
static ULong previous; // the same before the last write: room for a warning on a full disk

Bool output_open(void)
{
    HChar name[40];
    written = previous = 0;
    error[0] = '\0';
    for (Int serial = 0; serial < MOST_SERIALS; serial++) {
        VG_(snprintf)(name, sizeof name, "%d.%d.raw", VG_(getpid)(), serial);
        VG_(snprintf)(path, sizeof path, "%s/%s", options.out_dir, name);
        Int opened = inherited_open(name, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL);
        if (opened >= 0) {
            file = VG_(safe_fd)(opened);
            return True;
        }
        if (opened != -VKI_EEXIST) {
            VG_(snprintf)(error, sizeof error, "cannot create %s (error %d)", path, -opened);
            return False;
        }
    }
    VG_(snprintf)(error, sizeof error, "cannot create %s: too many files", path);
    return False;
}

void output_close(void)
{
    VG_(close)(file);
    file = -1;
}

static Long write_all(const HChar *bytes, SizeT size)
{
    SizeT done = 0;
    while (done < size) {
        Int result = VG_(write)(file, bytes + done, size - done);
        if (result == -VKI_EINTR)
            continue;
        if (result <= 0)
            return result;
        done += result;
    }
    return size;
}

static Bool end_with_warning(ULong at)
{
    // A framed `W` record with the error as its string.
    UChar record[8 + SENTENCE_BYTES] = {'W'};
    SizeT length = VG_(strlen)(error);
    SizeT head = 5;
    record[head++] = (length & 0x7f) | 0x80;
    record[head++] = length >> 7;
    record[1] = (length + 2) & 0xff;
    record[2] = (length + 2) >> 8;
    VG_(memcpy)(record + head, error, length);
    sys_ftruncate(file, at);
    VG_(lseek)(file, at, VKI_SEEK_SET);
    if (write_all((HChar *)record, head + length) == (Long)(head + length))
        return True;
    sys_ftruncate(file, at);
    return False;
}

bool output_write(const void *bytes, size_t size)
{
    if (file < 0)
        return false;
    Long result = write_all(bytes, size);
    if (result == (Long)size) {
        previous = written;
        written += size;
        return true;
    }
    VG_(snprintf)(error, sizeof error, "%s stops here: it could not be written (error %lld)", path,
                  -result);
    sys_discard_signal(VKI_SIGXFSZ);
    // The header must survive; if even a sentence does not fit, the last good write makes way.
    if (!end_with_warning(written) && previous)
        end_with_warning(previous);
    sys_discard_signal(VKI_SIGXFSZ);
    output_close();
    say(SAY_TOLD, "%s", error);
    return false;
}

const HChar *output_error(void)
{
    return error[0] ? error : NULL;
}
