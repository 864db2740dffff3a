// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "../core/fold.h"

struct options options = {.interval = 1000000, .origin = "start", .cpu = "", .version = ""};

// The value, if the word is `name=value`.
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool number(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 10);
    return *text && !*end;
}

static bool read_word(const char *word)
{
    const char *value;
    uint64_t n;
    if ((value = value_of(word, "out")))
        options.out = strdup(value);
    else if ((value = value_of(word, "origin")))
        options.origin = strdup(value);
    else if ((value = value_of(word, "cpu")))
        options.cpu = strdup(value);
    else if ((value = value_of(word, "version")))
        options.version = strdup(value);
    else if ((value = value_of(word, "interval")) && number(value, &n) && n)
        options.interval = n;
    else if ((value = value_of(word, "doubling")) && number(value, &n))
        options.doubling = n;
    else if ((value = value_of(word, "events")) && number(value, &n))
        options.events = n;
    else if ((value = value_of(word, "live")) && number(value, &n) && n && n <= PM_MOST_COUNTERS)
        options.counters = n;
    else if ((value = value_of(word, "seed")) && number(value, &n))
        options.seed = n;
    else if ((value = value_of(word, "cuts")))
        options.cuts = strdup(value);
    else if ((value = value_of(word, "words")) && number(value, &n))
        options.words = n;
    else
        return false;
    return true;
}

bool options_read(int count, char **words)
{
    for (int i = 0; i < count; i++)
        if (!read_word(words[i]))
            return false;
    options.followed = options.events || options.cuts;
    if (options.counters && (options.followed || options.doubling))
        return false;
    return options.out && options.out[0] == '/' && !(options.cuts && options.doubling);
}
