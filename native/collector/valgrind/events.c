// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include "decoding.h"

// The buffer lies so that one bit of the cursor tells that it is full. It fits the first-level
// cache beside the program's data.
enum { BUFFER_BYTES = 1 << 13, EVENT_SHIFT = 4 };

static struct pm_event buffer[BUFFER_BYTES >> EVENT_SHIFT]
    __attribute__((aligned(2 * BUFFER_BYTES)));

_Static_assert(sizeof(struct pm_event) == 1 << EVENT_SHIFT, "events are of 16 bytes");

static const struct instrument_hooks *hooks;

void events_begin(const struct instrument_hooks *with)
{
    hooks = with;
}

struct pm_event *events_noted(void)
{
    return buffer;
}

ULong events_first(void)
{
    return (ULong)buffer;
}

SizeT events_count(ULong cursor)
{
    return (cursor - events_first()) >> EVENT_SHIFT;
}

// An event at the current instruction; `happens` is 1 or 0, NULL: it does. One that does not is
// overwritten.
static void note(struct builder *b, enum pm_site_kind kind, Addr target, IRExpr *happens)
{
    UInt site = hooks->site_id(b->instruction, kind, target);
    IRExpr *cursor = get(b, RUNNING(b, cursor));
    emit(b, IRStmt_Store(Iend_LE, cursor, number(site)));
    IRExpr *left = binary(b, Iop_Add64, cursor, number(offsetof(struct pm_event, left)));
    emit(b, IRStmt_Store(Iend_LE, left, get(b, RUNNING(b, left))));
    IRExpr *size = number(sizeof(struct pm_event));
    if (happens)
        size = assign(b, Ity_I64, IRExpr_Binop(Iop_Shl64, happens, IRExpr_Const(IRConst_U8(EVENT_SHIFT))));
    IRExpr *next = binary(b, Iop_Add64, cursor, size);
    put(b, RUNNING(b, cursor), next);
    IRExpr *full = binary(b, Iop_And64, next, number(BUFFER_BYTES));
    call_if(b, assign(b, Ity_I1, IRExpr_Unop(Iop_CmpNEZ64, full)), "events_full",
            hooks->events_full, mkIRExprVec_0());
}

static IRExpr *wide(struct builder *b, IRExpr *condition)
{
    return assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, condition));
}

static Bool is_computed(const struct builder *b)
{
    return is_computed_branch((const UChar *)b->instruction);
}

void events_back(struct builder *b, Addr target)
{
    if (is_computed(b))
        note(b, PM_SITE_INDIRECT, 0, NULL);
    else
        note(b, PM_SITE_LOOP, target, NULL);
}

void events_back_if(struct builder *b, IRExpr *guard, Addr target)
{
    note(b, PM_SITE_LOOP, target, wide(b, guard));
}

void events_computed(struct builder *b, IRExpr *target)
{
    IRExpr *back = compare(b, Iop_CmpLE64U, target, number(b->instruction));
    note(b, PM_SITE_INDIRECT, 0, wide(b, back));
}

void events_call(struct builder *b, Addr target)
{
    note(b, PM_SITE_CALL, is_computed(b) ? 0 : target, NULL);
}

void events_return(struct builder *b)
{
    note(b, PM_SITE_RETURN, 0, NULL);
}
