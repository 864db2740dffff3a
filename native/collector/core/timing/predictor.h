// SPDX-License-Identifier: GPL-2.0-or-later
// What guesses where branches go: a hybrid of two tables of two-bit counters for conditional
// branches, a table of last targets for indirect ones, a stack for returns.
#ifndef PHASEMARK_TIMING_PREDICTOR_H
#define PHASEMARK_TIMING_PREDICTOR_H

#include "../engine.h"

enum { PM_DEEPEST_STACK = 256 };

// A thread's own: where its calls will return to. A ring that forgets the oldest.
struct pm_return_stack {
    uint64_t address[PM_DEEPEST_STACK];
    uint32_t top;
    uint32_t used;
};

struct pm_predictor {
    // Two-bit counters; a table of no entries is left out.
    uint8_t *bimodal, *gshare, *chooser;
    uint64_t bimodal_entries, gshare_entries, chooser_entries; // powers of two
    uint64_t *targets;
    uint64_t target_entries; // a power of two
    uint64_t history, history_mask;
    uint32_t stack_entries;
};

// The sizes and the history mask are set before.
void pm_predictor_build(struct pm_predictor *predictor, const struct pm_engine *engine);
void pm_predictor_release(struct pm_predictor *predictor, const struct pm_engine *engine);

// Each says whether the guess was right, and learns.
bool pm_predict_conditional(struct pm_predictor *predictor, uint64_t branch, bool taken);
bool pm_predict_target(struct pm_predictor *predictor, uint64_t branch, uint64_t target);
bool pm_predict_return(const struct pm_predictor *predictor, struct pm_return_stack *stack,
                       uint64_t target);
void pm_predict_call(const struct pm_predictor *predictor, struct pm_return_stack *stack,
                     uint64_t returns_to);

#endif
