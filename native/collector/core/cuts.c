// SPDX-License-Identifier: GPL-2.0-or-later
#include "cuts.h"

#include "number.h"

static const char *cut(const char *at, struct pm_cut *found)
{
    at = pm_number(at, &found->thread);
    at = at ? pm_number(at, &found->position) : NULL;
    bool good = at && (*at == '\n' || !*at) && found->position && found->position < INT64_MAX;
    return good ? at : NULL;
}

static bool follows(const struct pm_cuts *cuts, const struct pm_cut *next)
{
    if (!cuts->list.used)
        return true;
    const struct pm_cut *last = &cuts->list.items[cuts->list.used - 1];
    return last->thread < next->thread
           || (last->thread == next->thread && last->position < next->position);
}

size_t pm_cuts_read(struct pm_cuts *cuts, const struct pm_engine *engine, const char *text)
{
    *cuts = (struct pm_cuts){0};
    size_t line = 1;
    text = pm_families_read(&cuts->families, engine, text, &line);
    for (; *text; line++) {
        struct pm_cut next;
        text = cut(text, &next);
        if (!text || !follows(cuts, &next))
            return line;
        PM_PUSH(engine, &cuts->list, next);
        text += *text == '\n';
    }
    return 0;
}

uint64_t pm_cuts_next(const struct pm_cuts *cuts, uint64_t thread, uint64_t position)
{
    size_t low = 0, high = cuts->list.used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct pm_cut *c = &cuts->list.items[middle];
        if (c->thread < thread || (c->thread == thread && c->position <= position))
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < cuts->list.used && cuts->list.items[low].thread == thread;
    return there ? cuts->list.items[low].position : UINT64_MAX;
}
