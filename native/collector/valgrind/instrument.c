// SPDX-License-Identifier: GPL-2.0-or-later
// Adds the counting to a superblock. Valgrind is told not to follow branches when it translates,
// so a superblock is one straight run of instructions, apart from two things: the optimiser
// unrolls a run that jumps to its own start, and some instructions may leave in their middle
// (a REP to itself, a failed compare-and-swap to itself, a misaligned access to a signal).
//
// A recorded block is counted when it is entered: counts[id] += 1, left -= instructions, and a
// call if `left` went below zero. `entered` says which block is being executed; if the thread
// leaves generated code with its address inside that block, a fault ended it early. Where a
// complete block may be followed by an address inside itself, `entered` is cleared first.
#include "instrument.h"

#include "accesses.h"
#include "branches.h"
#include "events.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"
#include "decoding.h"
#include "timing.h"

enum {
    LONGEST_BLOCK = 128,    // instructions; VEX translates at most 100 at a time
    CLIENT_REQUEST_BYTES = 19, // one IMark, but five instructions
};

static struct instrument_hooks hooks;

void instrument_begin(const struct instrument_hooks *with)
{
    hooks = *with;
    events_begin(&hooks);
    accesses_begin(hooks.accesses_full);
}

// ---------------------------------------------------------------- counting

static void add_to_counter(struct builder *b, IRExpr *executions)
{
    // The address is written twice so that it folds into the load and the store.
    IRExpr *counts = get(b, RUNNING(b, counts));
    ULong offset = b->block * sizeof(ULong);
    IRExpr *from = binary(b, Iop_Add64, counts, number(offset));
    IRExpr *old = assign(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
    IRExpr *new = binary(b, Iop_Add64, old, executions);
    IRExpr *to = binary(b, Iop_Add64, counts, number(offset));
    emit(b, IRStmt_Store(Iend_LE, to, new));
}

static void count(struct builder *b, IRExpr *executions, IRExpr *instructions)
{
    IRExpr *left = binary(b, Iop_Sub64, get(b, RUNNING(b, left)), instructions);
    put(b, RUNNING(b, left), left);
    put(b, RUNNING(b, entered), number(b->block + 1ULL));
    if (hooks.vectors)
        add_to_counter(b, executions);
    call_if(b, compare(b, Iop_CmpLT64S, left, number(0)), "overrun", hooks.overrun,
            mkIRExprVec_0());
}

static void count_block(struct builder *b, UInt instructions)
{
    count(b, number(1), number(instructions));
    if (hooks.timing)
        timing_begin_block(b, instructions, NULL);
}

// Counts unless this is the next iteration of an execution that was counted.
static void count_repeated(struct builder *b)
{
    IRExpr *repeating = get(b, b->repeating_offset);
    IRExpr *first = compare(b, Iop_CmpNE64, repeating, number(b->instruction));
    IRExpr *once = assign(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, first));
    put(b, b->repeating_offset, number(0));
    count(b, once, once);
    if (hooks.timing)
        timing_begin_block(b, 1, once);
}

// ---------------------------------------------------------------- recorded blocks

static Bool is_branch(IRJumpKind kind)
{
    return kind == Ijk_Boring || kind == Ijk_Call || kind == Ijk_Ret;
}

static UInt add_lengths(UChar *lengths, UInt n, const IRStmt *mark)
{
    if (mark->Ist.IMark.len == CLIENT_REQUEST_BYTES) {
        static const UChar request[] = {4, 4, 4, 4, 3};
        for (UInt i = 0; i < sizeof request; i++)
            lengths[n++] = request[i];
        return n;
    }
    lengths[n++] = mark->Ist.IMark.len;
    return n;
}

static Bool is_repeated_mark(const IRStmt *mark)
{
    return mark->Ist.IMark.len && is_repeated_string((const UChar *)mark->Ist.IMark.addr);
}

// Where an instruction may leave for another one the block ends; not where it may leave to be
// tried again, for want of luck with a compare-and-swap.
static Bool ends_block(const IRStmt *exit, Addr instruction, Bool swaps)
{
    return is_branch(exit->Ist.Exit.jk)
           && !(swaps && exit->Ist.Exit.dst->Ico.U64 == instruction);
}

static Bool continues(const IRStmt *mark, Addr end)
{
    return mark->Ist.IMark.addr == end && !is_repeated_mark(mark);
}

// The lengths of the instructions of the block that starts at statement `first`, a mark. The
// mark of an instruction that cannot be decoded has length 0: it is never executed.
static UInt measure_block(const IRSB *in, Int first, UChar *lengths)
{
    Addr at = 0, end = 0;
    UInt n = 0;
    Bool ended = False, swaps = False;
    for (Int i = first; i < in->stmts_used; i++) {
        const IRStmt *statement = in->stmts[i];
        if (statement->tag == Ist_CAS) {
            swaps = True;
        } else if (statement->tag == Ist_Exit) {
            ended |= ends_block(statement, at, swaps);
        } else if (statement->tag == Ist_IMark) {
            if (!statement->Ist.IMark.len || ended || (n && !continues(statement, end)))
                break;
            at = statement->Ist.IMark.addr;
            end = at + statement->Ist.IMark.len;
            swaps = False;
            ended = is_repeated_mark(statement);
            n = add_lengths(lengths, n, statement);
            tl_assert(n < LONGEST_BLOCK);
        }
    }
    return n;
}

static void begin_block(struct builder *b, Int first)
{
    UChar lengths[LONGEST_BLOCK + 8];
    UInt n = measure_block(b->in, first, lengths);
    timing_end_block(b);
    accesses_happened(b);
    if (!n)
        return;
    b->block_start = b->block_end = b->instruction;
    for (UInt i = 0; i < n; i++)
        b->block_end += lengths[i];
    b->block = hooks.block_id(b->block_start, lengths, n);
    if (b->repeated)
        count_repeated(b);
    else
        count_block(b, n);
    if (hooks.memory)
        accesses_note_code(b, b->block_start, b->block_end, hooks.memory);
}

// Does a REP instruction go on with its next iteration?
static Bool is_iteration(const struct builder *b, Addr target)
{
    return b->repeated && target == b->instruction;
}

static void begin_instruction(struct builder *b, Int i)
{
    const IRStmt *mark = b->in->stmts[i];
    Addr previous = b->instruction;
    Bool goes_on = mark->Ist.IMark.addr > previous && mark->Ist.IMark.addr < b->block_end;
    // Nothing but a branch to the superblock's own start is followed, and only where it is unrolled.
    if (hooks.events && b->block_end && mark->Ist.IMark.addr <= previous
        && !is_iteration(b, mark->Ist.IMark.addr))
        events_back(b, mark->Ist.IMark.addr);
    b->instruction = mark->Ist.IMark.addr;
    b->repeated = is_repeated_mark(mark);
    b->swaps = False;
    // The unrolled next iteration of a REP belongs to the execution that was counted.
    if (b->repeated && previous == b->instruction)
        return;
    b->instructions = goes_on ? b->instructions + 1 : 1;
    if (!goes_on)
        begin_block(b, i);
}

// ---------------------------------------------------------------- leaving

static Bool inside_block(const struct builder *b, Addr address)
{
    return address >= b->block_start && address < b->block_end;
}

static void complete(struct builder *b)
{
    put(b, RUNNING(b, entered), number(0));
}

// The block is complete, and what follows may be inside it.
static void before_branch(struct builder *b, Addr target)
{
    if (is_iteration(b, target))
        put(b, b->repeating_offset, number(b->instruction));
    if (inside_block(b, target))
        complete(b);
}

static void leave(struct builder *b, IRStmt *exit)
{
    Addr target = exit->Ist.Exit.dst->Ico.U64;
    Bool branch = is_branch(exit->Ist.Exit.jk);
    accesses_happened(b);
    if (branch && ends_block(exit, b->instruction, b->swaps)) {
        timing_exit(b, exit);
        if (hooks.memory && b->block_end && !b->repeated)
            branches_exit(b, exit);
        if (hooks.events && target <= b->instruction && !is_iteration(b, target))
            events_back_if(b, exit->Ist.Exit.guard, target);
    }
    if (branch && b->swaps && target == b->instruction)
        call_if(b, exit->Ist.Exit.guard, "retry", hooks.retry, mkIRExprVec_1(number(target)));
    else if (branch)
        before_branch(b, target);
    emit(b, exit);
    if (branch && is_iteration(b, target))
        put(b, b->repeating_offset, number(0));
}

static void note_end(struct builder *b)
{
    const IRExpr *next = b->in->next;
    Addr target = next->tag == Iex_Const ? next->Iex.Const.con->Ico.U64 : 0;
    if (!hooks.events)
        return;
    if (b->in->jumpkind == Ijk_Call)
        events_call(b, target);
    else if (b->in->jumpkind == Ijk_Ret)
        events_return(b);
    else if (next->tag != Iex_Const)
        events_computed(b, b->in->next);
    else if (target <= b->instruction && !is_iteration(b, target))
        events_back(b, target);
}

static void finish(struct builder *b)
{
    const IRExpr *next = b->in->next;
    timing_finish(b);
    accesses_happened(b);
    if (!b->block_end || !is_branch(b->in->jumpkind))
        return;
    if (next->tag == Iex_Const) {
        note_end(b);
        before_branch(b, next->Iex.Const.con->Ico.U64);
        return;
    }
    // Writing the address keeps a load of the target, which may fault, before this point.
    if (b->in->jumpkind == Ijk_Boring)
        put(b, b->ip_offset, number(b->instruction));
    if (hooks.memory && b->in->jumpkind != Ijk_Ret)
        branches_target(b, b->in->next);
    note_end(b);
    complete(b);
}

// ---------------------------------------------------------------- statements

static Bool may_trap(const IRStmt *statement)
{
    const IRExpr *data = statement->Ist.WrTmp.data;
    if (data->tag != Iex_Binop)
        return False;
    switch (data->Iex.Binop.op) {
    case Iop_DivU32: case Iop_DivS32: case Iop_DivU64: case Iop_DivS64:
    case Iop_DivModU64to32: case Iop_DivModS64to32:
    case Iop_DivModU128to64: case Iop_DivModS128to64:
        return True;
    default:
        return False;
    }
}

static void add(struct builder *b, Int i)
{
    IRStmt *statement = b->in->stmts[i];
    if (hooks.timing && b->block_end)
        timing_statement(b, statement);
    if (hooks.memory && b->block_end)
        accesses_note(b, statement);
    switch (statement->tag) {
    case Ist_IMark:
        emit(b, statement);
        begin_instruction(b, i);
        break;
    case Ist_Exit:
        leave(b, statement);
        break;
    case Ist_CAS:
        b->swaps = True;
        emit(b, statement);
        break;
    case Ist_WrTmp:
        // Valgrind keeps the address exact at memory accesses only.
        if (may_trap(statement))
            put(b, b->ip_offset, number(b->instruction));
        emit(b, statement);
        break;
    default:
        emit(b, statement);
    }
}

// A superblock that ends `if (c) goto back; goto on` becomes `if (!c) goto on; goto back`, as VEX has it
// where it unrolls: then only a taken branch passes what notes it.
static void turn_last_branch(IRSB *in)
{
    Int last = in->stmts_used - 1, i = last;
    while (i >= 0 && in->stmts[i]->tag != Ist_IMark && in->stmts[i]->tag != Ist_CAS)
        i--;
    if (i < 0 || in->stmts[i]->tag == Ist_CAS || is_repeated_mark(in->stmts[i]))
        return;
    IRStmt *exit = in->stmts[last];
    Addr instruction = in->stmts[i]->Ist.IMark.addr;
    Addr after = instruction + in->stmts[i]->Ist.IMark.len;
    if (exit->tag != Ist_Exit || exit->Ist.Exit.jk != Ijk_Boring || in->jumpkind != Ijk_Boring
        || exit->Ist.Exit.dst->Ico.U64 > instruction || in->next->tag != Iex_Const
        || in->next->Iex.Const.con->Ico.U64 != after)
        return;
    IRTemp goes_on = newIRTemp(in->tyenv, Ity_I1);
    in->stmts[last] = IRStmt_WrTmp(goes_on, IRExpr_Unop(Iop_Not1, exit->Ist.Exit.guard));
    addStmtToIRSB(in, IRStmt_Exit(IRExpr_RdTmp(goes_on), Ijk_Boring, IRConst_U64(after),
                                  exit->Ist.Exit.offsIP));
    in->next = IRExpr_Const(exit->Ist.Exit.dst);
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                 IRType host_word)
{
    (void)closure, (void)extents, (void)host, (void)guest_word, (void)host_word;
    if (hooks.events)
        turn_last_branch(in);
    Int shadow = RUNNING_SHADOW * layout->total_sizeB;
    struct builder b = {.in = in,
                        .out = deepCopyIRSBExceptStmts(in),
                        .running_offset = shadow + RUNNING_OFFSET,
                        .repeating_offset = shadow + REPEATING_OFFSET,
                        .ip_offset = layout->offset_IP,
                        .stack_offset = layout->offset_SP};
    if (hooks.timing)
        timing_begin_superblock();
    Int i = 0;
    // What stands before the first instruction is Valgrind's own.
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        emit(&b, in->stmts[i]);
    for (; i < in->stmts_used; i++)
        add(&b, i);
    finish(&b);
    return b.out;
}
