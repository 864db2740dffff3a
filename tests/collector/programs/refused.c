// Says what becomes of execs that the kernel refuses, of bare names, and of limits of open files; at the end
// executes a row of scripts. Makes its files in the working folder.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 400000, LONG = 200000, HEAD = 400, MOST = 1 << 20 };

static char *none[] = {NULL};

static void attempt(const char *what, const char *path, char **argv)
{
    fflush(stdout);
    execve(path, argv, none);
    printf("%s: %s\n", what, strerror(errno));
}

static void make(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "w");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0 || chmod(name, 0755) != 0)
        exit(9);
}

static void refused(const char *name, const void *bytes, size_t size)
{
    char path[100], *argv[] = {"zero", "one", NULL};
    make(name, bytes, size);
    snprintf(path, sizeof path, "./%s", name);
    attempt(name, path, argv);
}

#define TEXT(function, name, text) function(name, text, sizeof text - 1)

static void scripts(void)
{
    TEXT(refused, "missing", "#!/no/such\n");
    TEXT(refused, "return", "#!/bin/sh\r\n");
    TEXT(refused, "folder", "#!/tmp\n");
    TEXT(refused, "itself", "#!./itself\n");
    TEXT(refused, "nothing", "#! \n");
    TEXT(refused, "plain", "echo\n");
    char head[HEAD] = "#!/";
    memset(head + 3, 'a', HEAD - 3);
    refused("cut", head, HEAD);
}

static void programs(void)
{
    char *bytes = malloc(MOST), zeros[256] = "\177ELF\2\1\1";
    FILE *file = fopen("/bin/true", "r");
    size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    refused("zeros", zeros, sizeof zeros);
    refused("half", bytes, 300);
    char *loader = memmem(bytes, size, "/lib64/ld-", 10);
    loader[1] = 'L';
    refused("loader", bytes, size);
    memcpy(loader, "/etc/passwd", 12);
    refused("no-loader", bytes, size);
}

static void arguments(void)
{
    static char *argv[MANY + 1] = {"true"};
    char *text = malloc(LONG);
    memset(text, 'x', LONG);
    text[LONG - 1] = '\0';
    argv[1] = text;
    attempt("one too long", "/bin/true", argv);
    attempt("too long, and there is none", "/no/such", argv);
    for (int i = 1; i < MANY; i++)
        argv[i] = "y";
    attempt("too many", "/bin/true", argv);
}

static void limits(void)
{
    static const rlim_t tried[][2] = {
        {300, 200}, {100, 200}, {100, 300}, {100, RLIM_INFINITY}, {RLIM_INFINITY, RLIM_INFINITY}, {50, 150}};
    for (unsigned i = 0; i < sizeof tried / sizeof *tried; i++) {
        struct rlimit limit = {tried[i][0], tried[i][1]};
        int failed = setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
        printf("limit %d: %d %llu %llu\n", failed, errno, (unsigned long long)limit.rlim_cur,
               (unsigned long long)limit.rlim_max);
    }
}

// A name without a slash is one in the working folder, whatever PATH is; it may look like an option. No list
// of words or variables at all is an empty one.
static void named(const char *name, char **words)
{
    fflush(stdout);
    if (fork() == 0) {
        if (words)
            execve(name, words, NULL);
        else
            syscall(SYS_execveat, AT_FDCWD, name, NULL, NULL, 0);
        _exit(errno);
    }
    int status;
    wait(&status);
    printf("%s: %#x\n", name, status);
}

int main(void)
{
    char *words[] = {"zero", "one", "two", NULL};
    scripts();
    programs();
    arguments();
    limits();
    TEXT(make, "first", "#!/bin/echo\n");
    TEXT(make, "second", "#!./first of two\n");
    if (symlink("/bin/echo", "program") != 0 || symlink("/bin/echo", "-v") != 0)
        return 9;
    named("first", words);
    named("program", words);
    named("-v", words);
    named("program", NULL);
    named("none", NULL);
    TEXT(make, "third", "#! ./second\n");
    attempt("third", "./third", words);
    return 8;
}
