// SPDX-License-Identifier: GPL-2.0-or-later
#include "branches.h"

#include "../core/branches.h"

static IRExpr *shifted(struct builder *b, IROp op, IRExpr *value, UChar by)
{
    return assign(b, Ity_I64, IRExpr_Binop(op, value, IRExpr_Const(IRConst_U8(by))));
}

static void count(struct builder *b, IRExpr *surprise)
{
    put(b, RUNNING(b, surprises), binary(b, Iop_Add64, get(b, RUNNING(b, surprises)), surprise));
}

static const ULong outcomes[] = PM_OUTCOMES;

static void went(struct builder *b, IRExpr *taken)
{
    IRExpr *history = get(b, RUNNING(b, history));
    ULong place = pm_branch_place(b->instruction, PM_DIRECTIONS_LOG);
    IRExpr *at = binary(b, Iop_Add64, get(b, RUNNING(b, branches)), binary(b, Iop_Xor64, history, number(place)));
    IRExpr *byte = assign(b, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, at));
    IRExpr *counter = assign(b, Ity_I64, IRExpr_Unop(Iop_8Uto64, byte));
    IRExpr *which = shifted(b, Iop_Shl64, binary(b, Iop_Or64, counter, taken), 3);
    IRExpr *from = binary(b, Iop_Add64, which, number((ULong)outcomes));
    IRExpr *found = assign(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
    emit(b, IRStmt_Store(Iend_LE, at, assign(b, Ity_I8, IRExpr_Unop(Iop_64to8, found))));
    count(b, shifted(b, Iop_Shr64, found, 8));
    IRExpr *longer = binary(b, Iop_Or64, shifted(b, Iop_Shl64, history, 1), taken);
    put(b, RUNNING(b, history), binary(b, Iop_And64, longer, number((1 << PM_HISTORY) - 1)));
}

// VEX may turn a condition round and leave for what follows the branch.
void branches_exit(struct builder *b, const IRStmt *exit)
{
    IRExpr *leaves = assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, exit->Ist.Exit.guard));
    Bool turned = exit->Ist.Exit.dst->Ico.U64 == b->block_end;
    went(b, turned ? binary(b, Iop_Xor64, leaves, number(1)) : leaves);
}

void branches_target(struct builder *b, IRExpr *target)
{
    ULong place = pm_branch_place(b->instruction, PM_TARGETS_LOG);
    IRExpr *at = binary(b, Iop_Add64, get(b, RUNNING(b, branches)),
                        number((1ULL << PM_DIRECTIONS_LOG) + place * sizeof(ULong)));
    IRExpr *before = assign(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
    count(b, assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, compare(b, Iop_CmpNE64, before, target))));
    emit(b, IRStmt_Store(Iend_LE, at, target));
}
