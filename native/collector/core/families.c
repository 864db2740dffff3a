// SPDX-License-Identifier: GPL-2.0-or-later
#include "families.h"

#include "number.h"

static const char *after_word(const char *at)
{
    static const char word[] = "family";
    for (size_t i = 0; word[i]; i++)
        if (at[i] != word[i])
            return NULL;
    return at + sizeof word - 1;
}

static const char *family(const char *at, struct pm_family *found)
{
    uint64_t *fields[] = {&found->creator, &found->first, &found->count};
    for (unsigned i = 0; at && i < 3; i++)
        at = pm_number(at, fields[i]);
    bool good = at && (*at == '\n' || !*at) && found->first < PM_STRANGER && found->count < PM_STRANGER;
    return good ? at : NULL;
}

const char *pm_families_read(struct pm_families *families, const struct pm_engine *engine,
                             const char *text, size_t *lines)
{
    *families = (struct pm_families){0};
    for (const char *at; (at = after_word(text));) {
        struct pm_family next;
        at = family(at, &next);
        if (!at)
            return text;
        PM_PUSH(engine, &families->list, next);
        text = at + (*at == '\n');
        ++*lines;
    }
    return text;
}

uint32_t pm_families_number(const struct pm_families *families, uint32_t creator, uint32_t nth,
                            uint32_t serial)
{
    if (!families->list.used)
        return serial;
    for (size_t i = 0; i < families->list.used; i++) {
        const struct pm_family *known = &families->list.items[i];
        if (known->creator == creator && nth < known->count)
            return (uint32_t)known->first + nth;
    }
    return PM_STRANGER;
}
