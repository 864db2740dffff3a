// What an engine may not be able to do; the argument says what. Ends with 0 where all went well.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int filtered(void)
{
    // Nothing is forbidden but what this program does not do.
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 1;
    return prctl(PR_GET_SECCOMP) != 2 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int shared(void)
{
    long child = syscall(SYS_clone, CLONE_FILES | 17, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    if (child < 0)
        printf("refused: %d\n", errno);
    return child < 0 ? 0 : waitpid((pid_t)child, NULL, 0) != child;
}

static int from_memory(const char *path)
{
    char bytes[1 << 16], *argv[] = {"in memory", "said", NULL};
    int from = open(path, O_RDONLY), to = memfd_create("program", MFD_CLOEXEC);
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) > 0;)
        if (write(to, bytes, (size_t)n) != n)
            return 1;
    fexecve(to, argv, environ);
    return 2;
}

// mov $number,%eax; ret
static void put(unsigned char *at, int number)
{
    unsigned char code[] = {0xb8, 0, 0, 0, 0, 0xc3};
    memcpy(code + 1, &number, 4);
    memcpy(at, code, sizeof code);
}

static int rewritten(unsigned char *write, unsigned char *execute)
{
    int sum = 0;
    for (int i = 1; i <= 100; i++) {
        put(write, i);
        sum += ((int (*)(void))execute)();
    }
    printf("sum %d\n", sum);
    return 0;
}

static int private_file(void)
{
    int file = memfd_create("code", 0);
    if (ftruncate(file, 4096))
        return 1;
    void *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, file, 0);
    return rewritten(both, both);
}

static int two_mappings(void)
{
    int file = memfd_create("code", 0);
    if (ftruncate(file, 4096))
        return 1;
    void *write = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return rewritten(write, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0));
}

static int far_away(void)
{
    void *place = mmap((void *)(1L << 46), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    void *large = mmap(NULL, 1L << 45, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printf("%s %s\n", place == MAP_FAILED ? "refused" : "there", large == MAP_FAILED ? "refused" : "there");
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "said"))
        printf("%s\n", argv[0]);
    fflush(stdout);
    if (!strcmp(what, "seccomp"))
        return filtered();
    if (!strcmp(what, "clone"))
        return shared();
    if (!strcmp(what, "memory"))
        return from_memory(argv[0]);
    if (!strcmp(what, "itself"))
        return execl("/proc/self/exe", "itself", "said", (char *)NULL);
    if (!strcmp(what, "private"))
        return private_file();
    if (!strcmp(what, "two"))
        return two_mappings();
    if (!strcmp(what, "far"))
        return far_away();
    if (!strcmp(what, "avx512"))
        __asm__ volatile(".byte 0x62,0xf1,0xfd,0x48,0x6f,0xc1"); // vmovdqa64 %zmm1,%zmm0
    if (!strcmp(what, "unknown"))
        __asm__ volatile("ud2");
    return 0;
}
