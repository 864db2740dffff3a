// SPDX-License-Identifier: GPL-2.0-or-later
#include "sparing.h"

#include "core.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"

enum { FIRST = 8 }; // records of threads that an image begins with

static UInt most; // threads that there may be
static Bool has_calls;

// ---------------------------------------------------------------- symbols

// Asked for what lies in a mapping, and its handle: nothing that was read.
ULong OURS(di_notify_mmap)(Addr address, Bool allow_written, Int file)
{
    (void)address, (void)allow_written, (void)file;
    return 0;
}

// ---------------------------------------------------------------- threads

static UInt size_of_record(void)
{
    return (UInt)((HChar *)VG_(get_ThreadState)(2) - (HChar *)VG_(get_ThreadState)(1));
}

// As the core makes them at its start: the first record, of no thread, stays so.
static void make_records(UInt begin, UInt end)
{
    const HChar *empty = VG_(get_ThreadState)(0);
    UInt size = size_of_record();
    for (UInt tid = begin; tid < end; tid++) {
        HChar *record = (HChar *)empty + (SizeT)tid * size;
        VG_(memcpy)(record, empty, size);
        *(ThreadId *)record = tid;
    }
}

static Bool has_room(void)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
        if (!VG_(is_valid_tid)(tid))
            return True;
    return False;
}

Bool sparing_has_thread(void)
{
    return VG_N_THREADS < most || has_room();
}

// There is memory for all of them: what is not written to costs nothing.
ThreadId OURS(scheduler_init_phase1)(void)
{
    most = VG_N_THREADS;
    if (most > FIRST)
        VG_N_THREADS = FIRST;
    return CORE(scheduler_init_phase1)();
}

ThreadId OURS(alloc_ThreadState)(void)
{
    if (!has_room() && VG_N_THREADS < most) {
        UInt more = VG_N_THREADS < most / 2 ? 2 * VG_N_THREADS : most;
        make_records(VG_N_THREADS, more);
        VG_N_THREADS = more;
    }
    return CORE(alloc_ThreadState)();
}

// At the first call the core makes a table of the calls of all threads that there may be, and then asks the tool.
void OURS(client_syscall)(ThreadId tid, UInt trap)
{
    if (!has_calls)
        VG_N_THREADS = most;
    CORE(client_syscall)(tid, trap);
}

void sparing_call(void)
{
    if (has_calls)
        return;
    has_calls = True;
    if (most > FIRST)
        VG_N_THREADS = FIRST;
}
