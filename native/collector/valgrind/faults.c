// SPDX-License-Identifier: GPL-2.0-or-later
#include "faults.h"

#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"

// Valgrind's own, exported by all of its versions, though only declared in its internal headers:
// VEX's copy of its options, which it reads for each translation, and what the core itself calls
// after a system call that changed code.
extern VexControl vex_control;
extern void VG_(discard_translations)(Addr start, ULong length, const HChar *who);

enum { PAGE = 4096 };

static Bool handles(const void *action)
{
    if (!action)
        return False;
    // The handler is the first field.
    UWord handler = *(const UWord *)action;
    return handler != (UWord)VKI_SIG_DFL && handler != (UWord)VKI_SIG_IGN;
}

// By default generated code keeps most registers out of memory while a block runs. A handler of
// memory faults may look at them, and what runs on after it needs them all. Keeping them up to
// date costs about a quarter of the time on gzip, so only programs with such a handler pay, from when
// they have it.
void faults_handler_set(UInt signal, const void *action)
{
    static Bool exact;
    if (exact || (signal != VKI_SIGSEGV && signal != VKI_SIGBUS) || !handles(action))
        return;
    exact = True;
    vex_control.iropt_register_updates_default = VexRegUpdAllregsAtMemAccess;
    VG_(discard_translations)(PAGE, ~(ULong)(PAGE - 1), "a handler of memory faults");
}
