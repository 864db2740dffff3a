// SPDX-License-Identifier: GPL-2.0-or-later
// Starts the tool that lies beside it, with its own arguments. Valgrind runs it again for every
// program that a collected one executes, whatever that is: a program for another processor, which
// the tool cannot run, is executed as it is, and a stream with nothing but a warning says so.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SCRIPTS_DEEP = 4, MOST_SERIALS = 1000000 };

struct command {
    char **program; // its name and arguments; *program is NULL if there is none
    const char *out_dir;
    bool followed;
};

static struct command parse(char **argv)
{
    static const char out_dir[] = "--out-dir=";
    struct command command = {0};
    char **arg = argv + 1;
    for (; *arg && **arg == '-'; arg++) {
        if (strcmp(*arg, "--") == 0) {
            arg++;
            break;
        }
        if (strncmp(*arg, out_dir, sizeof out_dir - 1) == 0)
            command.out_dir = *arg + sizeof out_dir - 1;
        if (strcmp(*arg, "--followed=yes") == 0)
            command.followed = true;
    }
    command.program = arg;
    return command;
}

// ---------------------------------------------------------------- what kind of program

static int open_in_path(const char *name)
{
    if (strchr(name, '/'))
        return open(name, O_RDONLY | O_CLOEXEC);
    const char *path = getenv("PATH");
    while (path && *path) {
        char full[PATH_MAX];
        int length = (int)strcspn(path, ":");
        snprintf(full, sizeof full, "%.*s/%s", length, path, name);
        if (access(full, X_OK) == 0)
            return open(full, O_RDONLY | O_CLOEXEC);
        path += length + (path[length] == ':');
    }
    return -1;
}

static bool is_foreign_elf(const unsigned char *head)
{
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)head;
    return elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_ident[EI_DATA] != ELFDATA2LSB
           || elf->e_machine != EM_X86_64;
}

// Is it known to be something else than a program for 64-bit x86? A file of no known kind is
// left to the tool, which knows the shells' customs.
static bool is_foreign(const char *name, int depth)
{
    union {
        Elf64_Ehdr elf;
        unsigned char bytes[512];
        char text[512];
    } head = {0};
    int file = open_in_path(name);
    if (file < 0)
        return false;
    ssize_t size = read(file, head.bytes, sizeof head.bytes - 1);
    close(file);
    if (size >= (ssize_t)sizeof head.elf && memcmp(head.bytes, ELFMAG, SELFMAG) == 0)
        return is_foreign_elf(head.bytes);
    if (size > 2 && memcmp(head.text, "#!", 2) == 0 && depth < SCRIPTS_DEEP) {
        char *interpreter = strtok(head.text + 2, " \t\n");
        return interpreter && is_foreign(interpreter, depth + 1);
    }
    return false;
}

// ---------------------------------------------------------------- a stream with a warning

static FILE *create_stream(const char *folder)
{
    for (int serial = 0; serial < MOST_SERIALS; serial++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%d.%d.raw", folder, (int)getpid(), serial);
        FILE *stream = fopen(path, "wxe");
        if (stream || errno != EEXIST)
            return stream;
    }
    return NULL;
}

static void write_record(FILE *stream, char kind, const char *payload, size_t size)
{
    unsigned char head[5] = {(unsigned char)kind};
    for (int i = 0; i < 4; i++)
        head[1 + i] = (unsigned char)(size >> 8 * i);
    fwrite(head, sizeof head, 1, stream);
    fwrite(payload, size, 1, stream);
}

static void write_header(FILE *stream, const struct command *command)
{
    char *text;
    size_t size;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    FILE *pairs = open_memstream(&text, &size);
    fprintf(pairs, "format=1%cengine=none%cengine_version=%ctool_version=%s%c", 0, 0, 0,
            PHASEMARK_VERSION, 0);
    fprintf(pairs, "pid=%d%cppid=%d%corigin=%s%c", (int)getpid(), 0, (int)getppid(), 0,
            command->followed ? "exec" : "start", 0);
    fprintf(pairs, "time_ns=%lld%09ld%cexe=%s%c", (long long)now.tv_sec, now.tv_nsec, 0,
            command->program[0], 0);
    for (char **arg = command->program; *arg; arg++)
        fprintf(pairs, "arg=%s%c", *arg, 0);
    fclose(pairs);
    write_record(stream, 'H', text, size);
    free(text);
}

static void write_warning(FILE *stream, const char *program)
{
    char *text;
    size_t size;
    char sentence[PATH_MAX + 100];
    int length = snprintf(sentence, sizeof sentence,
                          "%.*s is no program for 64-bit x86 and ran without being collected",
                          PATH_MAX - 1, program);
    FILE *string = open_memstream(&text, &size);
    for (; length >= 0x80; length >>= 7)
        fputc(length | 0x80, string);
    fputc(length, string);
    fputs(sentence, string);
    fclose(string);
    write_record(stream, 'W', text, size);
    free(text);
}

static void leave_warning(const struct command *command)
{
    FILE *stream = command->out_dir ? create_stream(command->out_dir) : NULL;
    if (!stream)
        return;
    fputs("PMRAW001", stream);
    write_header(stream, command);
    write_warning(stream, command->program[0]);
    fclose(stream);
}

// ---------------------------------------------------------------- starting

static int fail(const char *what)
{
    fprintf(stderr, "phasemark: cannot start %s: %s\n", what, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static int run_without(const struct command *command)
{
    leave_warning(command);
    unsetenv("VALGRIND_LIB");
    unsetenv("VALGRIND_LAUNCHER");
    execvp(command->program[0], command->program);
    return fail(command->program[0]);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct command command = parse(argv);
    if (*command.program && is_foreign(*command.program, 0))
        return run_without(&command);

    char self[PATH_MAX - 32], tool[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return fail("the collector");
    self[length] = '\0';
    setenv("VALGRIND_LAUNCHER", self, 1);
    *strrchr(self, '/') = '\0';
    setenv("VALGRIND_LIB", self, 1);
    snprintf(tool, sizeof tool, "%s/phasemark-amd64-linux", self);
    execv(tool, argv);
    return fail(tool);
}
