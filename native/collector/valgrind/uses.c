// SPDX-License-Identifier: GPL-2.0-or-later
#include "uses.h"

#include "pub_tool_libcbase.h"

static struct pm_use places[PM_MOST_PLACES];
static struct pm_uses *uses; // NULL: nothing is noted

void uses_begin(struct pm_uses *noted)
{
    uses = noted;
    uses->places = places;
}

// ---------------------------------------------------------------- what need not be noted

// Addresses in the superblock: those that are the stack pointer and a number, and those noted in the block.
enum { MOST_TEMPS = 4096 };
static UChar on_stack[MOST_TEMPS], noted[MOST_TEMPS];
static Bool stack_noted;

void uses_begin_superblock(void)
{
    VG_(memset)(on_stack, 0, sizeof on_stack);
}

static Bool is_on_stack(const IRExpr *expression)
{
    return expression->tag == Iex_RdTmp && expression->Iex.RdTmp.tmp < MOST_TEMPS
           && on_stack[expression->Iex.RdTmp.tmp];
}

static Bool stays_on_stack(const struct builder *b, const IRExpr *data)
{
    if (data->tag == Iex_Get)
        return data->Iex.Get.offset == b->stack_offset && data->Iex.Get.ty == Ity_I64;
    if (data->tag != Iex_Binop || (data->Iex.Binop.op != Iop_Add64 && data->Iex.Binop.op != Iop_Sub64))
        return is_on_stack(data);
    return is_on_stack(data->Iex.Binop.arg1) && data->Iex.Binop.arg2->tag == Iex_Const;
}

void uses_statement(struct builder *b, const IRStmt *statement)
{
    if (!uses || statement->tag != Ist_WrTmp || statement->Ist.WrTmp.tmp >= MOST_TEMPS)
        return;
    on_stack[statement->Ist.WrTmp.tmp] = stays_on_stack(b, statement->Ist.WrTmp.data);
}

// What a block does with its frame is in a few lines, which others use, too: one access stands for all.
static Bool is_known(const IRExpr *address)
{
    if (address->tag != Iex_RdTmp || address->Iex.RdTmp.tmp >= MOST_TEMPS)
        return False;
    UChar *known = is_on_stack(address) ? (UChar *)&stack_noted : &noted[address->Iex.RdTmp.tmp];
    Bool was = *known;
    *known = True;
    return was;
}

// ---------------------------------------------------------------- notes

static void store(struct builder *b, IRExpr *to, IRExpr *value)
{
    emit(b, IRStmt_Store(Iend_LE, to, value));
}

static void note_code(struct builder *b, Addr line)
{
    struct pm_use *use = pm_use_of(uses, line << PM_USE_LINE);
    store(b, number((ULong)&use->address), number(line << PM_USE_LINE | PM_USE_CODE));
    store(b, number((ULong)&use->when), b->now);
}

void uses_begin_block(struct builder *b)
{
    if (!uses)
        return;
    VG_(memset)(noted, 0, sizeof noted);
    stack_noted = False;
    IRExpr *before = assign(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, number((ULong)&uses->now)));
    b->now = binary(b, Iop_Add64, before, number(PM_USE_STEP));
    store(b, number((ULong)&uses->now), b->now);
    for (Addr line = b->block_start >> PM_USE_LINE; line <= (b->block_end - 1) >> PM_USE_LINE; line++)
        note_code(b, line);
}

void uses_access(struct builder *b, IRExpr *address)
{
    if (!uses || is_known(address))
        return;
    IRExpr *shifted =
        assign(b, Ity_I64, IRExpr_Binop(Iop_Shr64, address, IRExpr_Const(IRConst_U8(PM_USE_SHIFT))));
    IRExpr *place = binary(b, Iop_And64, shifted, number(uses->mask));
    store(b, binary(b, Iop_Add64, place, number((ULong)&places->address)), address);
    store(b, binary(b, Iop_Add64, place, number((ULong)&places->when)), b->now);
}
