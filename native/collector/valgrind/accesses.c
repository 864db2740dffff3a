// SPDX-License-Identifier: GPL-2.0-or-later
#include "accesses.h"

#include "../core/reuse.h"

// The buffer lies so that one bit of the cursor tells that it is full. What is noted until that is looked at
// has room after it.
enum { BUFFER_BYTES = 1 << 13, ADDRESS_SHIFT = 3, MOST_AT_ONCE = 256 };

static uint64_t buffer[(BUFFER_BYTES >> ADDRESS_SHIFT) + MOST_AT_ONCE + 8] __attribute__((aligned(2 * BUFFER_BYTES)));

_Static_assert(MOST_AT_ONCE << ADDRESS_SHIFT <= BUFFER_BYTES, "the bit stays until it is looked at");

static void (*full)(void);

// ---------------------------------------------------------------- of a statement

static UInt bytes(IRType type)
{
    return (UInt)sizeofIRType(type);
}

static UInt bytes_of(const struct builder *b, const IRExpr *expression)
{
    return bytes(typeOfIRExpr(b->in->tyenv, expression));
}

static void guarded_load(struct builder *b, const IRLoadG *load, access_seen *see)
{
    IRType wide, type;
    typeOfIRLoadGOp(load->cvt, &wide, &type);
    see(b, load->addr, bytes(type), False, load->guard);
}

static void swap(struct builder *b, const IRCAS *cas, access_seen *see)
{
    UInt size = bytes_of(b, cas->dataLo) * (cas->dataHi ? 2 : 1);
    see(b, cas->addr, size, False, NULL);
    see(b, cas->addr, size, True, NULL);
}

static void helper(struct builder *b, const IRDirty *call, access_seen *see)
{
    Bool always = call->guard->tag == Iex_Const && call->guard->Iex.Const.con->Ico.U1;
    IRExpr *guard = always ? NULL : call->guard;
    if (call->mFx == Ifx_Read || call->mFx == Ifx_Modify)
        see(b, call->mAddr, (UInt)call->mSize, False, guard);
    if (call->mFx == Ifx_Write || call->mFx == Ifx_Modify)
        see(b, call->mAddr, (UInt)call->mSize, True, guard);
}

void accesses_of(struct builder *b, const IRStmt *statement, access_seen *see)
{
    switch (statement->tag) {
    case Ist_WrTmp: {
        const IRExpr *data = statement->Ist.WrTmp.data;
        if (data->tag == Iex_Load)
            see(b, data->Iex.Load.addr, bytes(data->Iex.Load.ty), False, NULL);
        break;
    }
    case Ist_Store:
        see(b, statement->Ist.Store.addr, bytes_of(b, statement->Ist.Store.data), True, NULL);
        break;
    case Ist_StoreG: {
        const IRStoreG *store = statement->Ist.StoreG.details;
        see(b, store->addr, bytes_of(b, store->data), True, store->guard);
        break;
    }
    case Ist_LoadG:
        guarded_load(b, statement->Ist.LoadG.details, see);
        break;
    case Ist_CAS:
        swap(b, statement->Ist.CAS.details, see);
        break;
    case Ist_Dirty:
        helper(b, statement->Ist.Dirty.details, see);
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------- noted

void accesses_begin(void (*when_full)(void))
{
    full = when_full;
}

const uint64_t *accesses_noted(void)
{
    return buffer;
}

ULong accesses_first(void)
{
    return (ULong)buffer;
}

SizeT accesses_count(ULong cursor)
{
    return (cursor - accesses_first()) >> ADDRESS_SHIFT;
}

void accesses_happened(struct builder *b)
{
    if (!b->noted)
        return;
    IRExpr *cursor = binary(b, Iop_Add64, b->noting, number((ULong)b->noted << ADDRESS_SHIFT));
    put(b, RUNNING(b, addresses), cursor);
    IRExpr *filled = binary(b, Iop_And64, cursor, number(BUFFER_BYTES));
    call_if(b, assign(b, Ity_I1, IRExpr_Unop(Iop_CmpNEZ64, filled)), "accesses_full", full, mkIRExprVec_0());
    b->noted = 0;
}

static void note_value(struct builder *b, IRExpr *value)
{
    if (b->noted == MOST_AT_ONCE)
        accesses_happened(b);
    if (!b->noted)
        b->noting = get(b, RUNNING(b, addresses));
    IRExpr *to = b->noting;
    if (b->noted)
        to = binary(b, Iop_Add64, to, number((ULong)b->noted << ADDRESS_SHIFT));
    emit(b, IRStmt_Store(Iend_LE, to, value));
    b->noted++;
}

static void note(struct builder *b, IRExpr *address, UInt size, Bool store, IRExpr *guard)
{
    (void)size, (void)store;
    note_value(b, guard ? assign(b, Ity_I64, IRExpr_ITE(guard, address, number(0))) : address);
}

void accesses_note_code(struct builder *b, Addr start, Addr end, ULong lines)
{
    for (Addr line = start >> PM_LINE_SHIFT; line <= (end - 1) >> PM_LINE_SHIFT; line++)
        if (pm_reuse_looks_at(line << PM_LINE_SHIFT, lines))
            note_value(b, number(pm_reuse_executed(line << PM_LINE_SHIFT)));
}

void accesses_note(struct builder *b, const IRStmt *statement)
{
    accesses_of(b, statement, note);
}
