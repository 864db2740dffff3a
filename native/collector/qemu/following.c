// SPDX-License-Identifier: GPL-2.0-or-later
// QEMU would have the system execute the new program: natively, or not at all if it is for another machine.
// Instead this process becomes QEMU for it, with the options that it has itself.
#include "following.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "command.h"
#include "guest.h"
#include "memory.h"
#include "output.h"
#include "recorder.h"

enum { MOST_INTERPRETERS = 5, HEAD_BYTES = 4096 };

// A list of words that ends with NULL.
struct words {
    char **items;
    size_t used, room;
};

static void add(struct words *words, const char *word)
{
    if (words->used + 1 >= words->room) {
        words->room = 2 * words->room + 16;
        words->items = realloc(words->items, words->room * sizeof *words->items);
    }
    words->items[words->used++] = strdup(word);
    words->items[words->used] = NULL;
}

static void release(struct words *words)
{
    for (size_t i = 0; i < words->used; i++)
        free(words->items[i]);
    free(words->items);
    *words = (struct words){0};
}

// Reads the words that an array of the program's points to.
static bool read_words(struct words *words, uint64_t array)
{
    uint64_t at;
    for (; array; array += sizeof at) {
        if (!memory_read(array, &at, sizeof at))
            return false;
        if (!at)
            return true;
        char *word = memory_text(at);
        if (!word)
            return false;
        add(words, word);
        free(word);
    }
    return true;
}

// ---------------------------------------------------------------- what is to be executed

static char *named(int folder, const char *path, int flags)
{
    char self[40], *whole;
    snprintf(self, sizeof self, "/proc/%d/exe", getpid());
    if (strcmp(path, "/proc/self/exe") == 0 || strcmp(path, self) == 0)
        return strdup(command.words[command.name + 1]);
    if (!path[0] && !(flags & AT_EMPTY_PATH))
        return NULL;
    if (path[0] == '/' || folder < 0)
        return asprintf(&whole, "%s%s", path[0] == '-' ? "./" : "", path) < 0 ? NULL : whole;
    return asprintf(&whole, "/proc/self/fd/%d%s%s", folder, path[0] ? "/" : "", path) < 0 ? NULL : whole;
}

static bool gains_rights(const char *path, const struct stat *file)
{
    return file->st_mode & (S_ISUID | S_ISGID) || getxattr(path, "security.capability", NULL, 0) > 0;
}

static ssize_t head_of(const char *path, char *head)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, head, HEAD_BYTES - 1);
    if (file >= 0)
        close(file);
    head[size < 0 ? 0 : size] = '\0';
    return size;
}

// As the kernel reads the first line of a script: puts the interpreter, its one argument and the script
// in front of the arguments. Returns the interpreter, or NULL.
static char *interpret(const char *script, char *head, struct words *arguments)
{
    struct words all = {0};
    char *line = head + 2, *rest;
    line[strcspn(line, "\n")] = '\0';
    line += strspn(line, " \t");
    for (size_t end = strlen(line); end && strchr(" \t", line[end - 1]); end--)
        line[end - 1] = '\0';
    rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    if (!*line)
        return NULL;
    add(&all, line);
    if (*rest)
        add(&all, rest);
    add(&all, script);
    for (size_t i = 1; i < arguments->used; i++)
        add(&all, arguments->items[i]);
    release(arguments);
    *arguments = all;
    return strdup(line);
}

static void unrecorded(const char *path, const char *why)
{
    say(SAY_LEFT, "%s %s, and ran without being recorded", path, why);
}

// The machine of a program, or 0: the system is to say what is wrong with it.
static int machine_of(const char *path, const char *head, ssize_t size)
{
    const Elf64_Ehdr *elf = (const void *)head;
    if (size < (ssize_t)sizeof *elf || memcmp(head, ELFMAG, SELFMAG) != 0)
        return 0;
    if (head[EI_CLASS] != ELFCLASS64 || head[EI_DATA] != ELFDATA2LSB
        || !guest_named(elf->e_machine)) {
        unrecorded(path, "is for a machine that is not recorded");
        return 0;
    }
    return elf->e_type == ET_EXEC || elf->e_type == ET_DYN ? elf->e_machine : 0;
}

// The machine of the program that is executed in the end, whose path takes the place of `path`; or 0.
static int resolve(char **path, struct words *arguments)
{
    _Alignas(Elf64_Ehdr) char head[HEAD_BYTES];
    for (int i = 0; i < MOST_INTERPRETERS; i++) {
        struct stat file;
        if (stat(*path, &file) != 0 || !S_ISREG(file.st_mode) || access(*path, X_OK) != 0)
            return 0;
        if (gains_rights(*path, &file)) {
            unrecorded(*path, "runs with rights of its own (setuid, setgid or capabilities)");
            return 0;
        }
        ssize_t size = head_of(*path, head);
        if (size < 0)
            unrecorded(*path, "cannot be read");
        if (size < 2 || memcmp(head, "#!", 2) != 0)
            return machine_of(*path, head, size);
        char *interpreter = interpret(*path, head, arguments);
        free(*path);
        *path = interpreter;
        if (!interpreter)
            return 0;
    }
    return 0;
}

// ---------------------------------------------------------------- how

// QEMU for a machine: this one, or the one beside it. NULL: there is none.
static char *emulator(int machine)
{
    char here[PATH_MAX], *path;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return NULL;
    here[length] = '\0';
    if (machine == guest->machine)
        return strdup(here);
    *strrchr(here, '/') = '\0';
    if (asprintf(&path, "%s/qemu-%s", here, guest_named(machine)) < 0)
        return NULL;
    if (access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

// What the dynamic linker reads is meant for that of the program, not for QEMU's. QEMU parts words at commas.
static bool is_for_the_program(const char *variable)
{
    return strncmp(variable, "LD_", 3) == 0 && !strchr(variable, ',');
}

// QEMU's words for the new program: its own, but for what it was told of its program.
static void compose(struct words *words, int machine, const struct words *environment,
                    const char *path, const struct words *arguments)
{
    const char *plugin = "";
    bool same = machine == guest->machine;
    add(words, command.words[0]);
    for (size_t i = 1; i + 1 < command.name; i++) {
        const char *word = command.words[i];
        if (strcmp(word, "-plugin") == 0)
            plugin = command.words[++i];
        else if (strcmp(word, "-E") == 0 || (strcmp(word, "-cpu") == 0 && !same))
            i++;
        else
            add(words, word);
    }
    for (size_t i = 0; i < environment->used; i++) {
        if (is_for_the_program(environment->items[i])) {
            add(words, "-E");
            add(words, environment->items[i]);
        }
    }
    size_t end = strlen(plugin);
    const char *told = strstr(plugin, ",origin=exec");
    if (told)
        end = (size_t)(told - plugin);
    char *whole;
    add(words, "-plugin");
    if (asprintf(&whole, "%.*s,origin=exec%s,words=%zu", (int)end, plugin, same ? "" : ",cpu=",
                 words->used + 1) < 0)
        whole = strdup("");
    add(words, whole);
    free(whole);
    add(words, "-0");
    add(words, arguments->used ? arguments->items[0] : "");
    add(words, path);
    for (size_t i = 1; i < arguments->used; i++)
        add(words, arguments->items[i]);
}

static void execute(char **path, struct words *arguments, const struct words *environment)
{
    int machine = resolve(path, arguments);
    if (!machine)
        return;
    char *qemu = emulator(machine);
    if (!qemu) {
        unrecorded(*path, "is for a machine that there is no QEMU for");
        return;
    }
    struct words words = {0}, variables = {0};
    compose(&words, machine, environment, *path, arguments);
    for (size_t i = 0; i < environment->used; i++)
        if (!is_for_the_program(environment->items[i]))
            add(&variables, environment->items[i]);
    char *none = NULL;
    recorder_before_exec();
    execve(qemu, words.items, variables.items ? variables.items : &none);
    if (errno != E2BIG)
        unrecorded(*path, "could not be started under QEMU");
    release(&words);
    release(&variables);
    free(qemu);
}

void following_exec(int folder, uint64_t path, uint64_t arguments, uint64_t environment, int flags)
{
    struct words given = {0}, variables = {0};
    char *asked = memory_text(path);
    char *whole = asked ? named(folder, asked, flags) : NULL;
    if (whole && !recorder_ended() && read_words(&given, arguments)
        && read_words(&variables, environment))
        execute(&whole, &given, &variables);
    release(&given);
    release(&variables);
    free(whole);
    free(asked);
}
