// SPDX-License-Identifier: GPL-2.0-or-later
// The Valgrind tool: Valgrind's events in, calls to the core out.
#include "../core/collector.h"
#include "../core/futex.h"
#include "accesses.h"
#include "calls.h"
#include "code_map.h"
#include "events.h"
#include "faults.h"
#include "files.h"
#include "following.h"
#include "header.h"
#include "inherited.h"
#include "instrument.h"
#include "options.h"
#include "output.h"
#include "pub_tool_basics.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "rewriting.h"
#include "running.h"
#include "saying.h"
#include "sparing.h"
#include "stack.h"
#include "timing.h"

enum { STDERR = 2, TICK_EVERY = 64 };

// A thread as Valgrind numbers them; the numbers are reused.
struct slot {
    struct pm_thread *thread; // NULL: not running
    struct pm_birth birth;
    Bool is_born; // it was created, and has not run yet
    Bool in_new_handler; // a signal handler is about to begin
    Bool in_generated_code;
};

static struct pm_collector collector;
static struct slot *slots;
static Bool collecting; // the file is open and the process has not ended
static Bool executing;  // an exec is under way: no end will be announced

// ---------------------------------------------------------------- the core's engine

static void *engine_resize(void *old, size_t bytes)
{
    return VG_(realloc)("phasemark", old, bytes);
}

static uint64_t engine_now_ms(void)
{
    return VG_(read_millisecond_timer)();
}

static const struct pm_engine engine = {
    .resize = engine_resize,
    .release = VG_(free),
    .write = output_write,
    .now_ms = engine_now_ms,
};

// ---------------------------------------------------------------- process images

// Its file cannot be made: who asked for the recording is told, on standard error; a program that is only
// followed runs as it is, and a child that was forked, which cannot be had back, under the engine.
static void cannot_collect(const HChar *origin)
{
    if (VG_(strcmp)(origin, "start") == 0) {
        HChar line[5000];
        UInt length = VG_(snprintf)(line, sizeof line, "phasemark: %s\n", output_error());
        VG_(write)(STDERR, line, length);
        VG_(exit)(1);
    }
    if (VG_(strcmp)(origin, "exec") == 0)
        following_without();
    say(SAY_UNRECORDED, "%s ran without being recorded: %s", VG_(args_the_exename), output_error());
}

static void begin_thread(ThreadId tid)
{
    struct slot *slot = &slots[tid];
    slot->thread = pm_collector_thread(&collector, slot->birth, VG_(gettid)());
    slot->is_born = False;
    slot->in_new_handler = True;
}

static void begin_image(const HChar *origin)
{
    collecting = output_open();
    if (!collecting) {
        cannot_collect(origin);
        return;
    }
    header_write(&collector.stream, collector.recording.fold, origin);
    pm_collector_counters(&collector);
    pm_stream_flush(&collector.stream);
}

static void begin_forked_child(ThreadId tid)
{
    if (!collecting)
        return;
    output_close();
    for (UInt i = 0; i < VG_N_THREADS; i++)
        slots[i] = (struct slot){0};
    pm_collector_fork(&collector);
    begin_image("fork");
    slots[tid].birth = pm_collector_birth(&collector, NULL);
    begin_thread(tid);
}

static void end_image(Int exit_code)
{
    (void)exit_code;
    if (!collecting)
        return;
    collecting = False;
    pm_collector_end(&collector);
}

// The engine cannot go on with the program: what it did until now is kept.
static void stop_image(Bool between)
{
    if (!collecting)
        return;
    collecting = False;
    if (between)
        pm_collector_snapshot(&collector);
    else
        pm_stream_flush(&collector.stream);
}

static Bool is_recorded(void)
{
    return collecting && !output_error();
}

// ---------------------------------------------------------------- threads

static void thread_created(ThreadId creator, ThreadId tid)
{
    struct pm_thread *parent = creator == VG_INVALID_THREADID ? NULL : slots[creator].thread;
    if (slots[tid].is_born)
        pm_collector_stillbirth(slots[tid].birth);
    slots[tid] = (struct slot){.birth = pm_collector_birth(&collector, parent), .is_born = True};
}

static void thread_ended(ThreadId tid)
{
    if (!collecting || !slots[tid].thread)
        return;
    pm_collector_thread_end(&collector, slots[tid].thread);
    slots[tid].thread = NULL;
    if (executing)
        pm_stream_flush(&collector.stream);
}

// Files are brought up to date while threads are between two runs of generated code.
static void tick(void)
{
    static UInt calls;
    if (++calls % TICK_EVERY == 0)
        pm_collector_tick(&collector);
}

static void enter_generated_code(ThreadId tid, ULong blocks)
{
    (void)blocks;
    struct slot *slot = &slots[tid];
    tick();
    if (slot->in_new_handler) {
        running_forget_repeating(tid);
        slot->in_new_handler = False;
    }
    running_store(tid, (struct running){.counts = (ULong *)slot->thread->counts,
                                        .left = slot->thread->left,
                                        .timed = slot->thread->timed,
                                        .cursor = events_first(),
                                        .addresses = accesses_first(),
                                        .branches = slot->thread->branches,
                                        .history = slot->thread->history});
    if (collector.recording.machine) {
        pm_machine_run(collector.recording.machine, slot->thread->timing);
        timing_switch(slot->thread->timed);
    }
    slot->in_generated_code = True;
}

// What generated code kept, whose events the core's thread is told of.
static struct running take(ThreadId tid)
{
    struct pm_thread *thread = slots[tid].thread;
    struct running running = running_load(tid);
    thread->left = running.left;
    pm_thread_events(thread, events_noted(), events_count(running.cursor));
    running.cursor = events_first();
    pm_thread_accesses(thread, accesses_noted(), accesses_count(running.addresses));
    running.addresses = accesses_first();
    thread->history = running.history;
    thread->surprises += running.surprises;
    running.surprises = 0;
    return running;
}

// Brings the core's thread up to date with what generated code did, once each time: after that,
// a signal frame may bring back old values. If the thread's address lies inside the block it
// entered last, the instruction there did not complete.
static void settle(ThreadId tid)
{
    struct pm_thread *thread = slots[tid].thread;
    if (!slots[tid].in_generated_code)
        return;
    slots[tid].in_generated_code = False;
    struct running running = take(tid);
    if (running.entered) {
        UInt block = (UInt)(running.entered - 1);
        Long executed = pm_collector_index_at(&collector, block, VG_(get_IP)(tid));
        if (executed >= 0)
            pm_thread_fault(thread, block, (UInt)executed);
    }
    pm_thread_pause(thread);
}

static void leave_generated_code(ThreadId tid, ULong blocks)
{
    (void)blocks;
    settle(tid);
}

// A fault is delivered from within generated code, before Valgrind says that it was left.
static void before_signal(ThreadId tid, Int signal, Bool on_alternate_stack)
{
    (void)signal, (void)on_alternate_stack;
    settle(tid);
    slots[tid].in_new_handler = True;
}

// ---------------------------------------------------------------- generated code

static UInt block_id(Addr start, const UChar *lengths, UInt instructions)
{
    UInt module = code_map_module(&collector.modules, start);
    Addr offset = start - collector.modules.list.items[module].start;
    return pm_collector_block(&collector, module, offset, lengths, instructions);
}

static void overrun(void)
{
    ThreadId tid = VG_(get_running_tid)();
    struct pm_thread *thread = slots[tid].thread;
    struct running running = take(tid);
    pm_thread_overrun(thread, (UInt)(running.entered - 1));
    running.left = thread->left;
    running.timed = thread->timed;
    timing_switch(thread->timed);
    running_store(tid, running);
}

static void retry(Addr address)
{
    ThreadId tid = VG_(get_running_tid)();
    struct pm_thread *thread = slots[tid].thread;
    struct running running = take(tid);
    UInt block = (UInt)(running.entered - 1);
    pm_thread_fault(thread, block, (UInt)pm_collector_index_at(&collector, block, address));
    running.left = thread->left;
    running.timed = thread->timed;
    running.entered = 0;
    running_store(tid, running);
}

static UInt site_id(Addr branch, enum pm_site_kind kind, Addr target)
{
    struct pm_modules *modules = &collector.modules;
    struct pm_site site = {.kind = kind, .module = code_map_module(modules, branch)};
    site.offset = branch - modules->list.items[site.module].start;
    if (target) {
        UInt module = code_map_module(modules, target);
        site.target_module = module + 1;
        site.target = target - modules->list.items[module].start;
    }
    return pm_collector_site(&collector, site);
}

static void events_full(void)
{
    ThreadId tid = VG_(get_running_tid)();
    running_store(tid, take(tid));
}

static void accesses_full(void)
{
    ThreadId tid = VG_(get_running_tid)();
    running_store(tid, take(tid));
}

static void prepare_instrumentation(void)
{
    struct instrument_hooks hooks = {.block_id = block_id,
                                     .overrun = overrun,
                                     .retry = retry,
                                     .site_id = site_id,
                                     .events_full = events_full,
                                     .accesses_full = accesses_full,
                                     .vectors = options.windows == NULL,
                                     .timing = options.timing != NULL,
                                     .events = collector.recording.events,
                                     .memory = options.memory};
    instrument_begin(&hooks);
}

// ---------------------------------------------------------------- system calls, mappings

static Bool is_exec(UInt number)
{
    return number == __NR_execve || number == __NR_execveat;
}

// The thread went on.
static void after_wait(struct pm_thread *thread, UInt number, const UWord *arguments)
{
    if (number != __NR_futex && number != __NR_sched_yield)
        pm_collector_waited(&collector, thread);
    else if (number == __NR_futex)
        pm_futex_returned(&collector, thread, arguments[0], arguments[1]);
}

static void before_syscall(ThreadId tid, UInt number, UWord *arguments, UInt count)
{
    (void)count;
    sparing_call();
    calls_before(number);
    if (collecting && number == __NR_futex && slots[tid].thread)
        pm_futex_called(&collector, slots[tid].thread, arguments[0], arguments[1], arguments[2],
                        arguments[4]);
    if (!is_exec(number))
        return;
    // If the exec succeeds, nothing of this image runs any more.
    executing = True;
    if (collecting)
        pm_collector_snapshot(&collector);
}

static void after_syscall(ThreadId tid, UInt number, UWord *arguments, UInt count, SysRes result)
{
    (void)count;
    if (is_exec(number))
        executing = False; // it failed
    if (collecting && slots[tid].thread)
        after_wait(slots[tid].thread, number, arguments);
    if (sr_isError(result)) {
        if (number == __NR_mmap)
            calls_mmap_failed(arguments[1], arguments[3], sr_Err(result));
        return;
    }
    if (number == __NR_rt_sigaction)
        faults_handler_set((UInt)arguments[0], (const void *)arguments[1]);
    else if (number == __NR_mmap)
        rewriting_mapped(sr_Res(result), arguments[1], (UInt)arguments[2], (UInt)arguments[3]);
    else if (number == __NR_mprotect)
        rewriting_protected(arguments[0], arguments[1], (UInt)arguments[2]);
}

static void range_unmapped(Addr start, SizeT length)
{
    pm_modules_unmap(&collector.modules, start, length);
}

static void range_mapped(Addr start, SizeT length, Bool r, Bool w, Bool x, ULong debug_info)
{
    (void)r, (void)w, (void)x, (void)debug_info;
    range_unmapped(start, length);
}

static void range_moved(Addr from, Addr to, SizeT length)
{
    range_unmapped(from, length);
    range_unmapped(to, length);
}

// ---------------------------------------------------------------- registration

static const struct pm_plan *read_plan(void)
{
    static struct pm_plan plan;
    if (!options.timing || options.events || options.memory)
        REFUSE("--windows", "goes with --timing, and with neither --events nor --memory\n");
    HChar *text = file_text(options.windows);
    if (!text)
        REFUSE("--windows", "%s cannot be read\n", options.windows);
    SizeT wrong = pm_plan_read(&plan, &engine, text);
    if (wrong)
        REFUSE("--windows", "%s:%lu: no window, or not after the one before\n",
               options.windows, wrong);
    VG_(free)(text);
    return &plan;
}

static const struct pm_cuts *read_cuts(void)
{
    static struct pm_cuts cuts;
    if (options.windows || options.doubling)
        REFUSE("--cuts", "goes with neither --windows nor --auto=yes\n");
    HChar *text = file_text(options.cuts);
    if (!text)
        REFUSE("--cuts", "%s cannot be read\n", options.cuts);
    SizeT wrong = pm_cuts_read(&cuts, &engine, text);
    if (wrong)
        REFUSE("--cuts", "%s:%lu: no `thread position`, or not after the one before\n",
               options.cuts, wrong);
    VG_(free)(text);
    return &cuts;
}

static struct pm_fold *new_fold(void)
{
    if (options.windows || options.cuts || options.doubling || options.timing || options.events)
        REFUSE("--live", "goes with none of --windows, --cuts, --auto=yes, --timing and --events\n");
    return pm_fold_new(&engine, (UInt)options.counters, options.seed);
}

static const struct pm_recording *recording(void)
{
    static struct pm_recording recording;
    recording = (struct pm_recording){.interval = options.interval, .doubling = options.doubling};
    // Where a run is cut at events of an earlier one, it is looked whether they are there.
    recording.events = options.events || options.cuts;
    recording.longest = options.events;
    if (options.counters)
        recording.fold = new_fold();
    recording.lines = options.memory;
    if (options.windows)
        recording.plan = read_plan();
    if (options.cuts)
        recording.cuts = read_cuts();
    if (options.timing)
        recording.machine = timing_machine(options.timing, &engine,
                                           recording.plan && pm_plan_has_gaps(recording.plan));
    return &recording;
}

static void after_options(void)
{
    if (!options.out_dir || options.out_dir[0] != '/')
        REFUSE("--out-dir", "an absolute folder is needed\n");
    if (options.memory & (options.memory - 1))
        REFUSE("--memory", "a power of two is needed\n");
    if (inherited.tool < 0)
        REFUSE("--inherited", "phasemark's launcher starts this tool\n");
    saying_last = stop_image;
    following_recorded = is_recorded;
    saying_begin();
    inherited_begin();
    stack_clean();
    following_begin();
    slots = VG_(calloc)("phasemark", VG_N_THREADS, sizeof *slots);
    pm_collector_begin(&collector, &engine, recording());
    prepare_instrumentation();
    begin_image(options.followed ? "exec" : "start");
    options_pass_on();
}

static void register_tool(void)
{
    VG_(details_name)("phasemark");
    VG_(details_version)(PHASEMARK_VERSION);
    VG_(details_description)("basic block vectors per interval");
    VG_(details_copyright_author)("the phasemark authors");
    VG_(details_bug_reports_to)("phasemark's issue tracker");
    VG_(details_avg_translation_sizeB)(300);
    VG_(basic_tool_funcs)(after_options, instrument, end_image);

    // One straight run a superblock: exact counting stays simple, and it is faster, too.
    VG_(clo_vex_control).guest_chase = False;

    options_register();
    VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
    VG_(track_pre_thread_ll_create)(thread_created);
    VG_(track_pre_thread_first_insn)(begin_thread);
    VG_(track_pre_thread_ll_exit)(thread_ended);
    VG_(track_start_client_code)(enter_generated_code);
    VG_(track_stop_client_code)(leave_generated_code);
    VG_(track_pre_deliver_signal)(before_signal);
    VG_(track_new_mem_mmap)(range_mapped);
    VG_(track_die_mem_munmap)(range_unmapped);
    VG_(track_copy_mem_remap)(range_moved);
    VG_(atfork)(NULL, NULL, begin_forked_child);
}

VG_DETERMINE_INTERFACE_VERSION(register_tool)
