// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include "../core/live.h"
#include "inherited.h"
#include "options.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "saying.h"
#include "syscalls.h"

enum { PATH_BYTES = 4096, SENTENCE_BYTES = PATH_BYTES + 100, MOST_SERIALS = 1000000 };

static const HChar LIVE[] = "live"; // the pipe

static Int file = -1;
static HChar path[PATH_BYTES + 32];
static HChar error[SENTENCE_BYTES];
static struct pm_sender sender; // where it is a pipe
static ULong written;  // whole records, in bytes
static ULong previous; // the same before the last write: room for a warning on a full disk

static Bool open_pipe(void)
{
    struct vki_timeval now;
    // So it is seen at once where nobody reads; but then who reads slowly is waited for.
    Int opened = inherited_open(LIVE, VKI_O_WRONLY | VKI_O_NONBLOCK);
    if (opened < 0) {
        VG_(snprintf)(error, sizeof error, "nobody follows in %s (error %d)", options.out_dir, -opened);
        return False;
    }
    file = VG_(safe_fd)(opened);
    syscall4(__NR_fcntl, file, VKI_F_SETFL, VKI_O_WRONLY, 0);
    VG_(gettimeofday)(&now, NULL);
    sender = (struct pm_sender){(UInt)VG_(getpid)(), (UInt)(now.tv_sec * 1000000ULL + now.tv_usec)};
    return True;
}

Bool output_open(void)
{
    HChar name[40];
    written = previous = 0;
    error[0] = '\0';
    if (options.counters)
        return open_pipe();
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

static bool write_packet(const void *bytes, size_t size)
{
    return write_all(bytes, size) == (Long)size;
}

static bool send_packets(const void *bytes, size_t size)
{
    if (pm_live_send(sender, bytes, size, write_packet))
        return true;
    VG_(snprintf)(error, sizeof error, "nobody follows any more in %s", options.out_dir);
    sys_discard_signal(VKI_SIGPIPE);
    output_close();
    return false;
}

bool output_write(const void *bytes, size_t size)
{
    if (file < 0)
        return false;
    if (options.counters)
        return send_packets(bytes, size);
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
