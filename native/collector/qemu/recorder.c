// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../core/futex.h"
#include "command.h"
#include "guest.h"
#include "header.h"
#include "options.h"
#include "output.h"

#define ASKED INT64_MAX

// The same number everywhere.
enum { CLONE3 = 435 };

struct slot slots[MOST_THREADS];
__thread struct slot *recorder_current;

static struct pm_collector collector;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static unsigned used_slots;
static bool several;  // threads there were in this process
static struct slot *last_creator; // that called for a thread; NULL: none did
static bool stopping; // threads are to stop
static bool ended;    // there is no file, or it is complete

// ---------------------------------------------------------------- the core's engine

static _Noreturn void out_of_memory(void)
{
    static const char sentence[] = "phasemark: out of memory\n";
    if (write(2, sentence, sizeof sentence - 1) < 0) {
    }
    abort();
}

static void *resize(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (!memory)
        out_of_memory();
    return memory;
}

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        out_of_memory();
    return memory;
}

static void unreserve(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static const struct pm_engine engine = {
    .resize = resize,
    .release = free,
    .reserve = reserve,
    .unreserve = unreserve,
    .write = output_write,
    .now_ms = now_ms,
};

void recorder_lock(void)
{
    pthread_mutex_lock(&gate);
}

void recorder_unlock(void)
{
    pthread_mutex_unlock(&gate);
}

struct pm_collector *recorder_collector(void)
{
    return &collector;
}

// ---------------------------------------------------------------- images

static void begin_image(const char *origin)
{
    header_write(&collector.stream, collector.recording.fold, origin);
    pm_stream_flush(&collector.stream);
}

static void before_fork(void)
{
    recorder_lock();
}

static void in_parent(void)
{
    recorder_unlock();
}

// Of all threads the child has the one that forked.
static void in_child(void)
{
    struct slot *slot = recorder_current;
    gate = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    stopping = several = false;
    last_creator = NULL;
    if (!ended) {
        pm_collector_fork(&collector);
        for (unsigned i = 0; i < used_slots; i++)
            slots[i] = (struct slot){.limit = ASKED};
        if (slot) {
            slot->live = slot->in_syscall = true;
            slot->birth = pm_collector_birth(&collector, NULL);
        }
        if (output_open()) {
            begin_image("fork");
        } else {
            say(SAY_UNRECORDED, "a child process ran without being recorded: %s", output_error());
            ended = true;
        }
    }
}

static const struct pm_cuts *read_cuts(void)
{
    static struct pm_cuts cuts;
    size_t size;
    char *text = command_file(options.cuts, &size);
    bool good = text && pm_cuts_read(&cuts, &engine, text) == 0;
    free(text);
    return good ? &cuts : NULL;
}

bool recorder_begin(void)
{
    static struct pm_recording recording;
    // Where a run is cut at events of an earlier one, it is looked whether they are there.
    recording = (struct pm_recording){.interval = options.interval,
                                      .doubling = options.doubling,
                                      .cuts = options.cuts ? read_cuts() : NULL,
                                      .events = options.followed,
                                      .longest = options.events};
    if (options.counters)
        recording.fold = pm_fold_new(&engine, (uint32_t)options.counters, options.seed);
    if (options.cuts && !recording.cuts)
        return false;
    pm_collector_begin(&collector, &engine, &recording);
    if (!output_open())
        return false;
    begin_image(options.origin);
    pthread_atfork(before_fork, in_parent, in_child);
    return true;
}

bool recorder_ended(void)
{
    return ended;
}

// ---------------------------------------------------------------- threads

// The clock of all threads, of which some are running: those that stand still have told it.
static void tell_time(void)
{
    for (unsigned i = 0; several && i < used_slots; i++) {
        struct pm_thread *thread = slots[i].thread;
        if (!thread || thread->straddling)
            continue;
        int64_t left = __atomic_load_n(&slots[i].left, __ATOMIC_RELAXED);
        uint64_t position = thread->start + thread->interval - (uint64_t)left;
        if (position == thread->clocked)
            continue;
        collector.clock.instructions += position - thread->clocked;
        thread->clocked = position;
        thread->stopped = collector.clock.instructions;
    }
}

// The core's thread learns what was counted and noted.
static void take(struct slot *slot)
{
    slot->thread->left = slot->left;
    pm_thread_events(slot->thread, slot->events, slot->noted);
    slot->noted = 0;
}

void recorder_tell(struct slot *slot)
{
    recorder_lock();
    take(slot);
    recorder_unlock();
}

// The same, and its last block is complete.
static void settle(struct slot *slot)
{
    take(slot);
    pm_thread_pause(slot->thread);
    slot->left = slot->thread->left;
}

// Who created the thread that is announced: QEMU does that in the creator up to version 8, and since then in
// the new thread, by when the creator is the last one that called for a thread.
static struct slot *creator_of(const struct slot *created)
{
    struct slot *creator = recorder_current ? recorder_current : last_creator;
    return creator && creator != created && creator->thread ? creator : NULL;
}

static void create(struct slot *slot)
{
    unsigned vcpu = (unsigned)(slot - slots);
    struct slot *creator = creator_of(slot);
    if (creator) {
        several = true;
        tell_time();
    }
    if (creator && creator == recorder_current)
        settle(creator); // the new thread begins when it was made
    struct pm_birth birth =
        pm_collector_birth(&collector, creator ? creator->thread : NULL);
    *slot = (struct slot){.limit = ASKED, .live = true, .birth = birth};
    if (vcpu >= used_slots)
        used_slots = vcpu + 1;
}

void recorder_thread_created(unsigned vcpu)
{
    if (vcpu >= MOST_THREADS) {
        say(SAY_STOPPED, "more than %d threads live at once", MOST_THREADS);
        _exit(1);
    }
    recorder_lock();
    if (!slots[vcpu].live)
        create(&slots[vcpu]);
    recorder_unlock();
}

static void begin_thread(struct slot *slot)
{
    recorder_current = slot;
    slot->thread = pm_collector_thread(&collector, slot->birth, (uint64_t)gettid());
    slot->counts = slot->thread->counts;
    slot->left = slot->thread->left;
    if (options.followed)
        slot->events = resize(NULL, EVENTS_AT_ONCE * sizeof *slot->events);
}

void recorder_thread_ended(unsigned vcpu)
{
    struct slot *slot = &slots[vcpu];
    recorder_lock();
    if (slot->thread && !ended) {
        settle(slot);
        pm_collector_thread_end(&collector, slot->thread);
    }
    free(slot->events);
    *slot = (struct slot){.limit = ASKED};
    recorder_unlock();
}

// Until the process ends. Called under the lock, which it gives up.
static _Noreturn void stop_here(struct slot *slot)
{
    sigset_t all;
    slot->stopped = true;
    recorder_unlock();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (;;)
        pause();
}

static void snapshot(struct slot *slot)
{
    settle(slot);
    pm_thread_snapshot(slot->thread);
}

void recorder_enter(struct slot *slot, counted block)
{
    uint32_t id = (uint32_t)block;
    recorder_lock();
    bool asked = slot->limit == ASKED && slot->live;
    tell_time();
    if (!slot->live)
        create(slot);
    __atomic_store_n(&slot->limit, 0, __ATOMIC_RELAXED);
    if (stopping)
        stop_here(slot);
    if (!slot->thread)
        begin_thread(slot);
    else if (asked && !ended)
        snapshot(slot);

    struct pm_thread *thread = slot->thread;
    take(slot);
    thread->left -= counted_instructions(block);
    thread->counts[id]++;
    if (thread->left < 0)
        pm_thread_overrun(thread, id);
    slot->left = thread->left;
    slot->last = block;
    // What was left then is no measure in another interval.
    slot->repeating = 0;
    slot->resumed = false;
    recorder_unlock();
}

void recorder_leave(struct slot *slot)
{
    recorder_current = slot;
    if (slot->call == guest->clone || slot->call == CLONE3)
        last_creator = slot;
    slot->paused = several && slot->thread;
    if (slot->paused) {
        recorder_lock();
        tell_time();
        settle(slot);
        if (slot->call == guest->futex)
            pm_futex_called(&collector, slot->thread, slot->arguments[0], slot->arguments[1],
                            slot->arguments[2], slot->arguments[4]);
        slot->left = slot->thread->left;
        recorder_unlock();
    }
    __atomic_store_n(&slot->in_syscall, true, __ATOMIC_RELEASE);
}

static void after_wait(struct slot *slot)
{
    tell_time();
    if (slot->call == guest->futex)
        pm_futex_returned(&collector, slot->thread, slot->arguments[0], slot->arguments[1]);
    else if (slot->call != guest->sched_yield)
        pm_collector_waited(&collector, slot->thread);
    slot->left = slot->thread->left;
}

void recorder_return(struct slot *slot)
{
    recorder_lock();
    __atomic_store_n(&slot->in_syscall, false, __ATOMIC_RELAXED);
    if (stopping)
        stop_here(slot);
    if (slot->paused && !ended)
        after_wait(slot);
    recorder_unlock();
}

void recorder_resume(struct slot *slot)
{
    slot->resumed = true;
    slot->resumed_left = slot->left;
    slot->last = 0;
    slot->before = slot->interrupted;
    slot->interrupted = NULL;
}

// What was told of instructions that were not executed.
static void take_back_time(struct pm_thread *thread)
{
    uint64_t position = thread->start + thread->interval - (uint64_t)thread->left;
    if (position >= thread->clocked)
        return;
    collector.clock.instructions -= thread->clocked - position;
    thread->clocked = position;
}

void recorder_undo(struct slot *slot, uint32_t executed)
{
    recorder_lock();
    struct pm_thread *thread = slot->thread;
    // Of one that lies in two intervals the first is written.
    if (thread && slot->last
        && (thread->straddling
            || thread->interval - (uint64_t)slot->left >= counted_instructions(slot->last))) {
        take(slot);
        pm_thread_fault(thread, (uint32_t)slot->last, executed);
        slot->left = thread->left;
        take_back_time(thread);
        slot->last = 0;
    }
    recorder_unlock();
}

void recorder_undo_last(struct slot *slot)
{
    if (slot->last)
        recorder_undo(slot, counted_instructions(slot->last) - 1);
}

bool recorder_undo_at(struct slot *slot, uint64_t address)
{
    if (!slot->last)
        return false;
    recorder_lock();
    int64_t executed = pm_collector_index_at(&collector, (uint32_t)slot->last, address);
    recorder_unlock();
    if (executed >= 0)
        recorder_undo(slot, (uint32_t)executed);
    return executed >= 0;
}

// ---------------------------------------------------------------- all threads

static bool stands_still(const struct slot *slot)
{
    return slot->stopped || __atomic_load_n(&slot->in_syscall, __ATOMIC_ACQUIRE);
}

void recorder_snapshot(void)
{
    if (ended)
        return;
    for (unsigned i = 0; i < used_slots; i++) {
        struct slot *slot = &slots[i];
        if (!slot->live || !slot->thread)
            continue;
        if (!stands_still(slot)) {
            __atomic_store_n(&slot->limit, ASKED, __ATOMIC_RELAXED);
        } else if (!slot->thread->straddling) {
            // One that straddles may yet turn out not to have been executed to its end.
            snapshot(slot);
        }
    }
    pm_stream_flush(&collector.stream);
}

static bool is_up_to_date(void)
{
    for (unsigned i = 0; i < used_slots; i++)
        if (slots[i].live && slots[i].thread && !stands_still(&slots[i])
            && __atomic_load_n(&slots[i].limit, __ATOMIC_RELAXED) == ASKED)
            return false;
    return true;
}

void recorder_before_exec(void)
{
    enum { MOST_STEPS = 100, STEP_NS = 1000000 };
    recorder_lock();
    if (!ended && recorder_current->thread)
        snapshot(recorder_current);
    recorder_snapshot();
    for (int steps = 0; steps < MOST_STEPS && !is_up_to_date(); steps++) {
        recorder_unlock();
        nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
        recorder_lock();
    }
    pm_stream_flush(&collector.stream);
    recorder_unlock();
}

bool recorder_stop(const struct slot *but)
{
    bool all = true;
    stopping = true;
    for (unsigned i = 0; i < used_slots; i++) {
        struct slot *slot = &slots[i];
        if (!slot->live || slot == but || stands_still(slot))
            continue;
        __atomic_store_n(&slot->limit, ASKED, __ATOMIC_RELAXED);
        all &= !slot->thread; // one that has not begun has counted nothing
    }
    return all;
}

void recorder_end(void)
{
    if (ended)
        return;
    for (unsigned i = 0; i < used_slots; i++)
        if (slots[i].live && slots[i].thread)
            settle(&slots[i]);
    pm_collector_end(&collector);
    ended = true;
}
