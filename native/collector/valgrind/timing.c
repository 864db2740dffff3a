// SPDX-License-Identifier: GPL-2.0-or-later
#include "timing.h"

#include "accesses.h"
#include "files.h"
#include "options.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "uses.h"

static struct pm_machine machine;

// The block under construction, which has room for every access.
static union {
    struct pm_timed_block block;
    UChar room[sizeof(struct pm_timed_block) + PM_MOST_ACCESSES * sizeof(struct pm_access)];
} draft;

// Of the block that is being executed; Valgrind runs one thread at a time, and changes threads
// only between blocks.
static uint64_t operands[PM_MOST_ACCESSES + 1];

void timing_switch(Bool on)
{
    pm_machine_switch(&machine, on);
}

struct pm_machine *timing_machine(const HChar *path, const struct pm_engine *engine, Bool has_gaps)
{
    HChar *text = file_text(path);
    if (!text)
        REFUSE("--timing", "%s cannot be read\n", path);
    const HChar *wrong = pm_machine_build(&machine, engine, text);
    if (wrong)
        REFUSE("--timing", "%s: %s is missing or makes no sense\n", path, wrong);
    VG_(free)(text);
    if (has_gaps)
        uses_begin(&machine.uses);
    return &machine;
}

// ---------------------------------------------------------------- calls

static void block_ran(const struct pm_timed_block *block, ULong executed)
{
    pm_machine_block(&machine, block, operands, executed);
}

static void load_ran(Addr address, ULong size)
{
    pm_machine_access(&machine, address, (UInt)size, false);
}

static void store_ran(Addr address, ULong size)
{
    pm_machine_access(&machine, address, (UInt)size, true);
}

static IRExpr *model_is_on(struct builder *b)
{
    return compare(b, Iop_CmpNE64, get(b, RUNNING(b, timed)), number(0));
}

static IRExpr *both(struct builder *b, IRExpr *left, IRExpr *right)
{
    IRExpr *wide_left = assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, left));
    IRExpr *wide_right = assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, right));
    return compare(b, Iop_CmpNE64, binary(b, Iop_And64, wide_left, wide_right), number(0));
}

static void set_operand(struct builder *b, UInt i, IRExpr *value)
{
    emit(b, IRStmt_Store(Iend_LE, number((ULong)&operands[i]), value));
}

// Generated code keeps the description for as long as it lives, that is, for good.
static const struct pm_timed_block *kept(const struct pm_timed_block *block)
{
    SizeT size = sizeof *block + block->accesses * sizeof *block->access;
    return VG_(memcpy)(VG_(malloc)("phasemark.timing", size), block, size);
}

static IRExpr *always(void)
{
    return IRExpr_Const(IRConst_U1(True));
}

static void hand_over(struct builder *b, IRExpr *executed)
{
    call_if(b, options.windows ? model_is_on(b) : always(), "block_ran", block_ran,
            mkIRExprVec_2(number((ULong)kept(b->timed)), executed));
    b->timed = NULL;
}

static void end_block(struct builder *b, enum pm_ending ending, IRExpr *operand)
{
    b->timed->ending = ending;
    if (operand)
        set_operand(b, b->timed->accesses, operand);
    hand_over(b, number(b->timed->instructions));
}

// ---------------------------------------------------------------- accesses

// One more access of the block; `guard` says whether it happens, NULL: it does.
static void note_access(struct builder *b, IRExpr *address, UInt size, Bool store, IRExpr *guard)
{
    struct pm_timed_block *timed = b->timed;
    IRExpr *where = guard ? assign(b, Ity_I64, IRExpr_ITE(guard, address, number(0))) : address;
    set_operand(b, timed->accesses, where);
    uses_access(b, where);
    timed->stores += store;
    timed->access[timed->accesses++] =
        (struct pm_access){.size = size, .at = (UShort)(b->instructions - 1), .store = store};
}

static void access(struct builder *b, IRExpr *address, UInt size, Bool store, IRExpr *guard)
{
    if (b->timed && b->timed->accesses < PM_MOST_ACCESSES) {
        note_access(b, address, size, store, guard);
        return;
    }
    uses_access(b, guard ? assign(b, Ity_I64, IRExpr_ITE(guard, address, number(0))) : address);
    IRExpr *on = model_is_on(b);
    call_if(b, guard ? both(b, on, guard) : on, store ? "store_ran" : "load_ran",
            store ? (void *)store_ran : (void *)load_ran,
            mkIRExprVec_2(address, number(size)));
}

void timing_statement(struct builder *b, const IRStmt *statement)
{
    accesses_of(b, statement, access);
    uses_statement(b, statement);
}

// ---------------------------------------------------------------- blocks

void timing_begin_superblock(void)
{
    uses_begin_superblock();
}

void timing_begin_block(struct builder *b, UInt instructions, IRExpr *once)
{
    b->timed = &draft.block;
    *b->timed = (struct pm_timed_block){
        .address = b->block_start, .next = b->block_end, .instructions = instructions};
    uses_begin_block(b);
    if (once)
        hand_over(b, once);
}

void timing_end_block(struct builder *b)
{
    if (b->timed)
        end_block(b, PM_FALLS_THROUGH, NULL);
}

// VEX may turn a condition round and leave for what follows the branch.
void timing_exit(struct builder *b, const IRStmt *exit)
{
    if (!b->timed)
        return;
    IRExpr *leaves = assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, exit->Ist.Exit.guard));
    Bool turned = exit->Ist.Exit.dst->Ico.U64 == b->block_end;
    IRExpr *taken = turned ? binary(b, Iop_Xor64, leaves, number(1)) : leaves;
    b->timed->branch = b->instruction;
    end_block(b, PM_CONDITIONAL, taken);
}

static enum pm_ending ending(const struct builder *b)
{
    const IRExpr *next = b->in->next;
    Bool known = next->tag == Iex_Const;
    switch (b->in->jumpkind) {
    case Ijk_Boring:
        if (known && next->Iex.Const.con->Ico.U64 == b->block_end)
            return PM_FALLS_THROUGH;
        return known ? PM_JUMP : PM_INDIRECT_JUMP;
    case Ijk_Call:
        return known ? PM_CALL : PM_INDIRECT_CALL;
    case Ijk_Ret:
        return PM_RETURN;
    default:
        return PM_FALLS_THROUGH;
    }
}

void timing_finish(struct builder *b)
{
    if (!b->timed)
        return;
    b->timed->branch = b->instruction;
    end_block(b, ending(b), b->in->next->tag == Iex_Const ? NULL : b->in->next);
}
