// SPDX-License-Identifier: GPL-2.0-or-later
// Starts the tool that lies beside it, with its own arguments, and opens what the tool leaves from one
// process image to the next: see inherited.h.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    // The tool's descriptors lie above all that the program may open. The kernel keeps a table up to the
    // highest one and copies it at each fork: no higher than this.
    MOST_FILES = 65500,
    FEWEST_FILES = 8,
    RESERVED = 12, // descriptors of Valgrind and the tool
};

static int fail(const char *what)
{
    fprintf(stderr, "phasemark: cannot start %s: %s\n", what, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static const char *output_folder(char **argv)
{
    static const char name[] = "--out-dir=";
    const char *folder = NULL;
    for (char **arg = argv + 1; *arg && **arg == '-' && strcmp(*arg, "--") != 0; arg++)
        if (strncmp(*arg, name, sizeof name - 1) == 0)
            folder = *arg + sizeof name - 1;
    return folder;
}

// How many files the program may have open, by what the tool keeps for itself.
static rlim_t make_room(const struct rlimit *given)
{
    struct rlimit limit = *given;
    rlim_t files = given->rlim_max < MOST_FILES ? given->rlim_max : MOST_FILES;
    if (limit.rlim_max < files + RESERVED)
        limit.rlim_max = files + RESERVED;
    limit.rlim_cur = files + RESERVED;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return files;
    // No right to more: the program gets fewer than it was promised.
    limit.rlim_cur = limit.rlim_max = given->rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return given->rlim_max > RESERVED ? given->rlim_max - RESERVED : 0;
}

static void leave_room(rlim_t files)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = files;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_above(const char *path, int flags, rlim_t least)
{
    int file = open(path, flags, 0600);
    if (file < 0)
        return -1;
    int moved = fcntl(file, F_DUPFD, (int)least);
    close(file);
    return moved;
}

// What the tool takes out again, first.
static char **environment(const char *launcher, const char *folder)
{
    extern char **environ;
    size_t count = 0, room = strlen(launcher) + strlen(folder) + 50;
    while (environ[count])
        count++;
    char **all = malloc((count + 3) * sizeof *all), *text = malloc(room);
    all[0] = text;
    all[1] = text + sprintf(text, "VALGRIND_LAUNCHER=%s", launcher) + 1;
    sprintf(all[1], "VALGRIND_LIB=%s", folder);
    memcpy(all + 2, environ, (count + 1) * sizeof *all);
    return all;
}

static char **arguments(char **argv, const char *inherited)
{
    size_t count = 0;
    while (argv[count])
        count++;
    char **all = malloc((count + 2) * sizeof *all);
    all[0] = argv[0];
    all[1] = (char *)inherited;
    memcpy(all + 2, argv + 1, count * sizeof *all);
    return all;
}

int main(int argc, char **argv)
{
    (void)argc;
    char self[PATH_MAX - 32], folder[PATH_MAX - 32], tool[PATH_MAX], notes[PATH_MAX], inherited[120];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return fail("the collector");
    self[length] = '\0';
    strcpy(folder, self);
    *strrchr(folder, '/') = '\0';
    snprintf(tool, sizeof tool, "%s/phasemark-amd64-linux", folder);

    const char *out = output_folder(argv);
    if (!out || out[0] != '/') {
        fputs("phasemark: --out-dir=FOLDER, an absolute path, is needed\n", stderr);
        return 1;
    }
    snprintf(notes, sizeof notes, "%s/notes", out);
    struct rlimit given;
    getrlimit(RLIMIT_NOFILE, &given);
    rlim_t files = make_room(&given);
    if (files < FEWEST_FILES) {
        fprintf(stderr, "phasemark: cannot start the collector: only %llu files may be open (ulimit -n)\n",
                (unsigned long long)given.rlim_max);
        return 126;
    }
    int out_file = open_above(out, O_RDONLY | O_DIRECTORY, files);
    int notes_file = open_above(notes, O_WRONLY | O_APPEND | O_CREAT, files);
    int tool_file = open_above(tool, O_RDONLY, files);
    if (out_file < 0 || notes_file < 0) {
        fprintf(stderr, "phasemark: cannot create files in %s: %s\n", out, strerror(errno));
        return 1;
    }
    if (tool_file < 0)
        return fail(tool);
    snprintf(inherited, sizeof inherited, "--inherited=%d,%d,%d,%llu,%llu", out_file, notes_file, tool_file,
             (unsigned long long)given.rlim_cur, (unsigned long long)given.rlim_max);
    leave_room(files);
    execve(tool, arguments(argv, inherited), environment(self, folder));
    return fail(tool);
}
