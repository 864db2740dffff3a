// SPDX-License-Identifier: GPL-2.0-or-later
// A superblock under construction, and the few kinds of statements that are added to it.
#ifndef PHASEMARK_BUILDER_H
#define PHASEMARK_BUILDER_H

#include "../core/timing/machine.h"
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"
#include "running.h"

struct builder {
    IRSB *in, *out;
    Int running_offset, repeating_offset, ip_offset, stack_offset;
    Addr block_start, block_end; // the recorded block being built
    UInt block;
    Addr instruction;
    Bool repeated; // the instruction is a REP string instruction
    Bool swaps;    // the instruction contains a compare-and-swap

    // What the timing model is to be told of the recorded block; NULL once it is, or if it is not.
    struct pm_timed_block *timed;
    UInt instructions; // of the recorded block that have begun
    IRExpr *now;       // of lines used, see core/timing/uses.h

    // Accesses whose addresses were noted, and do not count yet; where the first is.
    UInt noted;
    IRExpr *noting;
};

#define RUNNING(b, field) ((b)->running_offset + (Int)offsetof(struct running, field))

static inline void emit(struct builder *b, IRStmt *statement)
{
    addStmtToIRSB(b->out, statement);
}

static inline IRExpr *assign(struct builder *b, IRType type, IRExpr *expression)
{
    IRTemp temp = newIRTemp(b->out->tyenv, type);
    emit(b, IRStmt_WrTmp(temp, expression));
    return IRExpr_RdTmp(temp);
}

static inline IRExpr *number(ULong value)
{
    return IRExpr_Const(IRConst_U64(value));
}

static inline IRExpr *get(struct builder *b, Int offset)
{
    return assign(b, Ity_I64, IRExpr_Get(offset, Ity_I64));
}

static inline void put(struct builder *b, Int offset, IRExpr *value)
{
    emit(b, IRStmt_Put(offset, value));
}

static inline IRExpr *binary(struct builder *b, IROp op, IRExpr *left, IRExpr *right)
{
    return assign(b, Ity_I64, IRExpr_Binop(op, left, right));
}

static inline IRExpr *compare(struct builder *b, IROp op, IRExpr *left, IRExpr *right)
{
    return assign(b, Ity_I1, IRExpr_Binop(op, left, right));
}

static inline void call_if(struct builder *b, IRExpr *guard, const HChar *name, void *function,
                           IRExpr **arguments)
{
    IRDirty *call = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
    call->guard = guard;
    emit(b, IRStmt_Dirty(call));
}

#endif
