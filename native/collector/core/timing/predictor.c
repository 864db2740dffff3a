// SPDX-License-Identifier: GPL-2.0-or-later
#include "predictor.h"

enum { WEAKLY_NOT_TAKEN = 1, WEAKLY_TAKEN = 2, STRONGLY = 3 };

static uint8_t *counters(const struct pm_engine *engine, uint64_t entries)
{
    if (!entries)
        return NULL;
    uint8_t *table = engine->resize(NULL, entries);
    for (uint64_t i = 0; i < entries; i++)
        table[i] = WEAKLY_NOT_TAKEN;
    return table;
}

void pm_predictor_build(struct pm_predictor *predictor, const struct pm_engine *engine)
{
    predictor->bimodal = counters(engine, predictor->bimodal_entries);
    predictor->gshare = counters(engine, predictor->gshare_entries);
    predictor->chooser = counters(engine, predictor->chooser_entries);
    predictor->targets =
        engine->resize(NULL, predictor->target_entries * sizeof *predictor->targets);
    for (uint64_t i = 0; i < predictor->target_entries; i++)
        predictor->targets[i] = 0;
}

void pm_predictor_release(struct pm_predictor *predictor, const struct pm_engine *engine)
{
    void *tables[] = {predictor->bimodal, predictor->gshare, predictor->chooser,
                      predictor->targets};
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i])
            engine->release(tables[i]);
}

// By table: which way a counter goes is what the host's own predictor cannot guess.
static void learn(uint8_t *counter, bool up)
{
    static const uint8_t next[2][STRONGLY + 1] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    *counter = next[up][*counter];
}

bool pm_predict_conditional(struct pm_predictor *predictor, uint64_t branch, bool taken)
{
    uint8_t *bimodal = NULL, *gshare = NULL;
    if (predictor->bimodal)
        bimodal = &predictor->bimodal[branch & (predictor->bimodal_entries - 1)];
    if (predictor->gshare)
        gshare = &predictor->gshare[(branch ^ predictor->history)
                                    & (predictor->gshare_entries - 1)];
    predictor->history = (predictor->history << 1 | taken) & predictor->history_mask;

    bool right_bimodal = bimodal && (*bimodal >= WEAKLY_TAKEN) == taken;
    bool right_gshare = gshare && (*gshare >= WEAKLY_TAKEN) == taken;
    bool right = right_bimodal;
    if (gshare && bimodal) {
        uint8_t *chooser = &predictor->chooser[branch & (predictor->chooser_entries - 1)];
        if (*chooser >= WEAKLY_TAKEN)
            right = right_gshare;
        if (right_gshare != right_bimodal)
            learn(chooser, right_gshare);
    } else if (gshare) {
        right = right_gshare;
    }
    if (bimodal)
        learn(bimodal, taken);
    if (gshare)
        learn(gshare, taken);
    return right;
}

bool pm_predict_target(struct pm_predictor *predictor, uint64_t branch, uint64_t target)
{
    uint64_t *known = &predictor->targets[branch & (predictor->target_entries - 1)];
    bool right = *known == target;
    *known = target;
    return right;
}

void pm_predict_call(const struct pm_predictor *predictor, struct pm_return_stack *stack,
                     uint64_t returns_to)
{
    stack->top = (stack->top + 1) % predictor->stack_entries;
    stack->address[stack->top] = returns_to;
    if (stack->used < predictor->stack_entries)
        stack->used++;
}

bool pm_predict_return(const struct pm_predictor *predictor, struct pm_return_stack *stack,
                       uint64_t target)
{
    if (!stack->used)
        return false;
    bool right = stack->address[stack->top] == target;
    stack->top = (stack->top + predictor->stack_entries - 1) % predictor->stack_entries;
    stack->used--;
    return right;
}
