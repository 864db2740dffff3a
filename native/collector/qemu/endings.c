// SPDX-License-Identifier: GPL-2.0-or-later
// Signals that end a program without QEMU's saying so are of two kinds. Those that QEMU leaves to the
// system (SIGTERM and most others) get a handler of ours in this process, which the program cannot see:
// QEMU keeps what it asks for in tables of its own. Those that QEMU delivers itself (a fault, abort) up to
// version 8 end in its calling kill(), whose entry in its table of addresses is led to ours.
#include "endings.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"

enum { TICK_SECONDS = 1, STEP_MS = 1, MOST_STEPS = 500 };

static sem_t wake, written;
static volatile sig_atomic_t ending; // the signal that ends the process
static struct slot *volatile dying;  // the thread that will send it itself; NULL: nobody will
static pid_t keeper;                 // the process that has a thread of ours

// ---------------------------------------------------------------- the thread

static void step(void)
{
    nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
}

static void end_image(void)
{
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        recorder_lock();
        bool stopped = recorder_stop(dying);
        if (stopped || steps == MOST_STEPS - 1) {
            recorder_end();
            recorder_unlock();
            return;
        }
        recorder_unlock();
        step();
    }
}

static void end_process(int signal)
{
    sigset_t one;
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigaction(signal, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    kill(getpid(), signal);
    for (;;)
        pause();
}

static void *keep(void *nothing)
{
    (void)nothing;
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += TICK_SECONDS;
        sem_timedwait(&wake, &until);
        if (ending) {
            end_image();
            if (dying)
                sem_post(&written);
            else
                end_process(ending);
            return NULL;
        }
        recorder_lock();
        recorder_snapshot();
        recorder_unlock();
    }
}

// ---------------------------------------------------------------- signals left to the system

static void on_signal(int signal)
{
    ending = signal;
    sem_post(&wake);
}

static bool ends_a_process(int signal)
{
    static const int others[] = {SIGKILL, SIGSTOP,  SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU,
                                 SIGCHLD, SIGWINCH, SIGURG,
                                 // These QEMU delivers itself.
                                 SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
                                 SIGXCPU, SIGXFSZ, SIGSYS};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (signal == others[i])
            return false;
    return signal < 32 || signal >= SIGRTMIN;
}

void endings_watch(void)
{
    struct sigaction now, ours = {.sa_handler = on_signal};
    sigfillset(&ours.sa_mask);
    for (int signal = 1; signal < _NSIG; signal++)
        if (ends_a_process(signal) && sigaction(signal, NULL, &now) == 0
            && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
            sigaction(signal, &ours, NULL);
}

// ---------------------------------------------------------------- signals that QEMU delivers

static int kill_of_ours(pid_t pid, int signal)
{
    if (pid == getpid() && signal && !recorder_ended()) {
        dying = recorder_current;
        ending = signal;
        sem_post(&wake);
        sem_wait(&written);
    }
    return kill(pid, signal);
}

struct table {
    const ElfW(Rela) * entries;
    size_t count;
    const ElfW(Sym) * symbols;
    const char *names;
};

static void lead(const struct table *table, ElfW(Addr) base)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < table->count; i++) {
        const ElfW(Rela) *entry = &table->entries[i];
        if (strcmp(table->names + table->symbols[ELF64_R_SYM(entry->r_info)].st_name, "kill") != 0)
            continue;
        uintptr_t at = base + entry->r_offset;
        void *start = (void *)(at & ~(page - 1));
        if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
            continue;
        *(void **)at = (void *)kill_of_ours;
        mprotect(start, page, PROT_READ);
    }
}

// The first object is QEMU itself.
static int lead_in(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size, (void)data;
    struct table calls = {0}, others = {0};
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        ElfW(Addr) value = dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_JMPREL)
            calls.entries = (void *)value;
        else if (dynamic->d_tag == DT_PLTRELSZ)
            calls.count = value / sizeof(ElfW(Rela));
        else if (dynamic->d_tag == DT_RELA)
            others.entries = (void *)value;
        else if (dynamic->d_tag == DT_RELASZ)
            others.count = value / sizeof(ElfW(Rela));
        else if (dynamic->d_tag == DT_SYMTAB)
            calls.symbols = others.symbols = (void *)value;
        else if (dynamic->d_tag == DT_STRTAB)
            calls.names = others.names = (void *)value;
    }
    if (calls.symbols && calls.names) {
        lead(&calls, object->dlpi_addr);
        lead(&others, object->dlpi_addr);
    }
    return 1;
}

// ---------------------------------------------------------------- beginning

static void start_thread(void)
{
    sigset_t all, before;
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&wake, 0, 0);
    sem_init(&written, 0, 0);
    ending = 0;
    dying = NULL;
    // Signals to the process are for the program's threads.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 18);
    pthread_create(&thread, &attributes, keep, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void endings_begin(void)
{
    if (keeper == getpid())
        return;
    if (!keeper) {
        dl_iterate_phdr(lead_in, NULL);
        endings_watch();
    }
    keeper = getpid();
    start_thread();
}
