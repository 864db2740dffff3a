// SPDX-License-Identifier: GPL-2.0-or-later
#include "plan.h"

#include "number.h"

static const char *window(const char *at, struct pm_window *found)
{
    uint64_t *fields[] = {&found->thread, &found->warm, &found->start, &found->end};
    for (unsigned i = 0; at && i < 4; i++)
        at = pm_number(at, fields[i]);
    bool good = at && (*at == '\n' || !*at) && found->warm <= found->start
                && found->start < found->end;
    return good ? at : NULL;
}

static bool follows(const struct pm_plan *plan, const struct pm_window *next)
{
    if (!plan->windows.used)
        return true;
    const struct pm_window *last = &plan->windows.items[plan->windows.used - 1];
    return last->thread < next->thread
           || (last->thread == next->thread && last->end <= next->start);
}

// A warm-up may reach back over earlier windows: there, too, the model stays on.
static void reach_back(struct pm_plan *plan)
{
    for (size_t i = plan->windows.used; i-- > 1;) {
        struct pm_window *before = &plan->windows.items[i - 1], *after = before + 1;
        if (before->thread == after->thread && after->warm < before->warm)
            before->warm = after->warm;
    }
}

size_t pm_plan_read(struct pm_plan *plan, const struct pm_engine *engine, const char *text)
{
    *plan = (struct pm_plan){0};
    size_t line = 1;
    text = pm_families_read(&plan->families, engine, text, &line);
    for (; *text; line++) {
        struct pm_window next;
        text = window(text, &next);
        if (!text || !follows(plan, &next))
            return line;
        PM_PUSH(engine, &plan->windows, next);
        text += *text == '\n';
    }
    reach_back(plan);
    return 0;
}

bool pm_plan_has_gaps(const struct pm_plan *plan)
{
    for (size_t i = 0; i < plan->windows.used; i++) {
        const struct pm_window *window = &plan->windows.items[i];
        bool first = !i || window[-1].thread != window->thread;
        if (window->warm > (first ? 0 : window[-1].end))
            return true;
    }
    return false;
}

// The first window of the thread that ends after the position, or where it would stand.
static size_t search(const struct pm_plan *plan, uint64_t thread, uint64_t position)
{
    size_t low = 0, high = plan->windows.used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct pm_window *w = &plan->windows.items[middle];
        if (w->thread < thread || (w->thread == thread && w->end <= position))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct pm_stretch pm_plan_stretch(const struct pm_plan *plan, uint64_t thread, uint64_t position)
{
    size_t i = search(plan, thread, position);
    if (i == plan->windows.used || plan->windows.items[i].thread != thread)
        return (struct pm_stretch){.end = UINT64_MAX};
    const struct pm_window *w = &plan->windows.items[i];
    if (w->start <= position)
        return (struct pm_stretch){.end = w->end, .timed = true, .measured = true};
    if (w->warm <= position)
        return (struct pm_stretch){.end = w->start, .timed = true};
    return (struct pm_stretch){.end = w->warm};
}
