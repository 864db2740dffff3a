// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../core/live.h"
#include "options.h"

enum { SENTENCE_BYTES = PATH_MAX + 100, MOST_SERIALS = 1000000, HIGHEST = 1 << 16 };

static int file = -1;
static char path[PATH_MAX + 32];
static char unnamed[PATH_MAX + 32]; // its path until the header is in it
static char error[SENTENCE_BYTES];
static struct stat identity; // of the file: the program may close our descriptor, and open another there
static struct pm_sender sender; // where it is a pipe
static off_t written;        // whole records, in bytes
static off_t previous;       // the same before the last write: room for a warning on a full disk

// Out of the program's way: it finds the same numbers free as without us.
static int out_of_the_way(int opened)
{
    struct rlimit most;
    getrlimit(RLIMIT_NOFILE, &most);
    rlim_t top = most.rlim_cur < HIGHEST ? most.rlim_cur : HIGHEST;
    int moved = fcntl(opened, F_DUPFD_CLOEXEC, (int)(top > 20 ? top - 10 : top / 2));
    if (moved < 0)
        return opened;
    close(opened);
    return moved;
}

// So it is seen at once where nobody reads; but then who reads slowly is waited for.
static int opened_pipe(void)
{
    int opened = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (opened >= 0)
        fcntl(opened, F_SETFL, 0);
    return opened;
}

static bool open_pipe(void)
{
    struct timespec now;
    snprintf(path, sizeof path, "%s/live", options.out);
    int opened = opened_pipe();
    if (opened < 0) {
        snprintf(error, sizeof error, "nobody follows in %s (error %d)", options.out, errno);
        return false;
    }
    file = out_of_the_way(opened);
    fstat(file, &identity);
    clock_gettime(CLOCK_REALTIME, &now);
    sender = (struct pm_sender){(uint32_t)getpid(),
                                (uint32_t)(now.tv_sec * 1000000ull + now.tv_nsec / 1000)};
    return true;
}

bool output_open(void)
{
    if (file >= 0)
        close(file);
    file = -1;
    written = previous = 0;
    error[0] = '\0';
    if (options.counters)
        return open_pipe();
    for (int serial = 0; serial < MOST_SERIALS; serial++) {
        snprintf(path, sizeof path, "%s/%d.%d.raw", options.out, getpid(), serial);
        snprintf(unnamed, sizeof unnamed, "%s/%d.%d.new", options.out, getpid(), serial);
        if (access(path, F_OK) == 0)
            continue;
        int opened = open(unnamed, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0666);
        if (opened >= 0) {
            file = out_of_the_way(opened);
            fstat(file, &identity);
            return true;
        }
        if (errno != EEXIST) {
            snprintf(error, sizeof error, "cannot create %s (error %d)", path, errno);
            return false;
        }
    }
    snprintf(error, sizeof error, "cannot create %s: too many files", path);
    return false;
}

static bool is_ours(int descriptor)
{
    struct stat now;
    return descriptor >= 0 && fstat(descriptor, &now) == 0 && now.st_dev == identity.st_dev
           && now.st_ino == identity.st_ino;
}

static bool is_there(void)
{
    if (is_ours(file))
        return true;
    int opened = options.counters ? opened_pipe()
                                  : open(written ? path : unnamed, O_WRONLY | O_CLOEXEC | O_APPEND);
    file = opened < 0 ? -1 : out_of_the_way(opened);
    return is_ours(file);
}

static bool write_all(const void *from, size_t size)
{
    const char *bytes = from;
    while (size) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

// A framed `W` record with the error as its string, in place of what was written after `at`.
static bool end_with_warning(off_t at)
{
    unsigned char record[8 + SENTENCE_BYTES] = {'W'};
    size_t length = strlen(error), head = 5;
    record[head++] = (unsigned char)((length & 0x7f) | 0x80);
    record[head++] = (unsigned char)(length >> 7);
    record[1] = (unsigned char)(length + 2);
    record[2] = (unsigned char)((length + 2) >> 8);
    memcpy(record + head, error, length);
    bool done = ftruncate(file, at) == 0 && write_all((char *)record, head + length);
    if (!done && ftruncate(file, at) != 0)
        return false;
    return done;
}

static void give_up(int reason)
{
    snprintf(error, sizeof error, "%s stops here: it could not be written (error %d)", path, reason);
    // The header must survive; if even a sentence does not fit, the last good write makes way.
    if (file >= 0 && !end_with_warning(written) && previous)
        end_with_warning(previous);
    close(file);
    file = -1;
    say(SAY_TOLD, "%s", error);
}

static void nobody_follows(void)
{
    snprintf(error, sizeof error, "nobody follows any more in %s", options.out);
    close(file);
    file = -1;
}

static bool put(const void *bytes, size_t size)
{
    if (options.counters)
        return is_there() && pm_live_send(sender, bytes, size, write_all);
    return is_there() && write_all(bytes, size) && (written || rename(unnamed, path) == 0);
}

bool output_write(const void *bytes, size_t size)
{
    if (error[0])
        return false;
    // A limit on the size of files, or that nobody reads, is no affair of the program's.
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, options.counters ? SIGPIPE : SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    bool done = put(bytes, size);
    if (done) {
        previous = written;
        written += (off_t)size;
    } else {
        options.counters ? nobody_follows() : give_up(errno);
        sigtimedwait(&limit, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

const char *output_error(void)
{
    return error[0] ? error : NULL;
}

void say(const char *kind, const char *format, ...)
{
    char sentence[SENTENCE_BYTES], line[SENTENCE_BYTES + 40], notes[PATH_MAX + 8];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    for (char *at = sentence; *at; at++)
        if (*at == '\n')
            *at = '?';
    int length = snprintf(line, sizeof line, "%s %d %s\n", kind, getpid(), sentence);
    snprintf(notes, sizeof notes, "%s/notes", options.out);
    int to = open(notes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (to < 0)
        return;
    // At once: lines of several processes do not mix.
    if (write(to, line, (size_t)length) < 0) {
    }
    close(to);
}
