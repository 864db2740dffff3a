// Tells all that a program can see of its world; "exec" as first argument: after an exec of itself.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void tell_file(const char *path)
{
    char text[1 << 16];
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text);
    close(file);
    printf("%s", path);
    for (ssize_t i = 0; i < size; i++)
        putchar(text[i] ? text[i] : '\n');
    putchar('\n');
}

static void tell_descriptors(void)
{
    for (int fd = 0; fd < 70000; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("open %d flags %d\n", fd, fcntl(fd, F_GETFD));
    printf("first free %d\n", dup(open("/", O_RDONLY)) - 1);
    close(open("/", O_RDONLY) - 1), close(open("/", O_RDONLY) - 2);
    int numbers[4096] = {0};
    DIR *list = opendir("/proc/self/fd");
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) < 4096)
            numbers[atoi(entry->d_name)] = 1;
        else if (entry->d_name[0] != '.')
            printf("listed %s\n", entry->d_name);
    for (int i = 0; i < 4096; i++)
        if (numbers[i])
            printf("listed %d\n", i);
}

static void tell_signals(void)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i < 65; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0)
            printf("signal %d handler %p blocked %d\n", i, (void *)action.sa_handler, sigismember(&mask, i));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "exec") == 0) {
        argv[1] = "again";
        argv[0] = "another name";
        char path[4096] = "";
        return readlink("/proc/self/exe", path, sizeof path - 1) < 0 ? 8 : execv(path, argv);
    }
    char text[4096] = "";
    for (int i = 0; i < argc; i++)
        printf("argument %d %s\n", i, argv[i]);
    for (char **entry = environ; *entry; entry++)
        printf("environment %s\n", *entry);
    tell_file("/proc/self/environ");
    tell_file("/proc/self/cmdline");
    tell_file("/proc/self/comm");
    prctl(PR_GET_NAME, text);
    printf("name %s\n", text);
    memset(text, 0, sizeof text);
    printf("program %zd %s\n", readlink("/proc/self/exe", text, sizeof text), text);
    printf("execfn %s secure %lu\n", (char *)getauxval(AT_EXECFN), getauxval(AT_SECURE));
    printf("folder %s\n", getcwd(text, sizeof text));
    mode_t mask = umask(0);
    printf("umask %o uid %d %d gid %d %d group %d session %d parent %d\n", mask, getuid(), geteuid(), getgid(),
           getegid(), getpgrp() == getpid(), getsid(0) == getpid(), getppid() > 1);
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        getrlimit(i, &limit);
        printf("limit %d %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
    }
    printf("nice %d\n", getpriority(PRIO_PROCESS, 0));
    tell_descriptors();
    tell_signals();
    return 0;
}
