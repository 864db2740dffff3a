// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the flat configuration. Python has checked it and says what is wrong in words; what is
// checked here is only what the machine cannot do without.
#include "machine.h"

struct reader {
    const char *text;
    const char *wrong; // the first key that is missing or makes no sense
};

// Where the value of a key stands, or NULL.
static const char *find(const char *text, const char *key)
{
    for (const char *line = text; *line;) {
        size_t i = 0;
        while (key[i] && line[i] == key[i])
            i++;
        if (!key[i] && line[i] == '=')
            return line + i + 1;
        while (*line && *line++ != '\n')
            ;
    }
    return NULL;
}

static uint64_t number(struct reader *reader, const char *key, uint64_t lowest, uint64_t highest)
{
    const char *at = find(reader->text, key);
    uint64_t value = 0;
    bool good = at && *at >= '0' && *at <= '9';
    for (; good && *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (uint64_t)(*at - '0');
        good = value <= highest;
    }
    if ((!good || value < lowest) && !reader->wrong)
        reader->wrong = key;
    return good ? value : lowest;
}

static uint64_t power(struct reader *reader, const char *key, uint64_t lowest, uint64_t highest)
{
    uint64_t value = number(reader, key, lowest, highest);
    if (value & (value - 1)) {
        reader->wrong = reader->wrong ? reader->wrong : key;
        return 1;
    }
    return value;
}

enum { MOST_SETS = 1 << 24, MOST_WAYS = 4096, LONGEST_LINE = 1 << 30, MOST_ENTRIES = 1 << 28 };
enum { LONGEST = 1 << 20 }; // cycles
enum { PAGE = 4096, SEEN_WAYS = 16 };

static void build_seen(struct pm_machine *machine, const struct pm_engine *engine)
{
    const struct pm_cache *last = machine->has_l3 ? &machine->l3 : &machine->l2;
    uint64_t pages = ((last->set_mask + 1) * last->ways << last->shift) / PAGE;
    uint64_t sets = 1;
    while (2 * sets * SEEN_WAYS <= pages)
        sets *= 2;
    if (pages >= SEEN_WAYS)
        pm_cache_build(&machine->seen, engine, sets, pages / sets, PAGE);
}

static void build(struct reader *reader, struct pm_cache *cache, const struct pm_engine *engine,
                  const char *sets, const char *ways, const char *line)
{
    uint64_t of_sets = power(reader, sets, 1, MOST_SETS);
    uint64_t of_ways = number(reader, ways, 1, MOST_WAYS);
    uint64_t of_line = power(reader, line, 1, LONGEST_LINE);
    if (!reader->wrong)
        pm_cache_build(cache, engine, of_sets, of_ways, of_line);
}

static void build_predictor(struct reader *reader, struct pm_predictor *predictor,
                            const struct pm_engine *engine)
{
    predictor->bimodal_entries = power(reader, "bimodal.entries", 0, MOST_ENTRIES);
    predictor->gshare_entries = power(reader, "gshare.entries", 0, MOST_ENTRIES);
    predictor->chooser_entries = power(reader, "chooser.entries", 0, MOST_ENTRIES);
    predictor->history_mask = (1ull << number(reader, "gshare.history", 0, 63)) - 1;
    predictor->target_entries = power(reader, "indirect.entries", 1, MOST_ENTRIES);
    predictor->stack_entries =
        (uint32_t)number(reader, "returns.entries", 1, PM_DEEPEST_STACK);
    bool both = predictor->bimodal_entries && predictor->gshare_entries;
    if (both && !predictor->chooser_entries && !reader->wrong)
        reader->wrong = "chooser.entries";
    if (!reader->wrong)
        pm_predictor_build(predictor, engine);
}

const char *pm_machine_build(struct pm_machine *machine, const struct pm_engine *engine,
                             const char *configuration)
{
    struct reader reader = {.text = configuration};
    *machine = (struct pm_machine){.width = number(&reader, "width", 1, 64)};
    machine->window = number(&reader, "window", 1, 1 << 16);
    machine->frontend = number(&reader, "frontend", 0, LONGEST);
    machine->memory = number(&reader, "memory", 0, LONGEST);
    machine->l2_latency = number(&reader, "l2.latency", 0, LONGEST);
    machine->itlb_penalty = number(&reader, "itlb.penalty", 0, LONGEST);
    machine->dtlb_penalty = number(&reader, "dtlb.penalty", 0, LONGEST);
    machine->has_l3 = find(configuration, "l3.sets") != NULL;
    build(&reader, &machine->l1i, engine, "l1i.sets", "l1i.ways", "l1i.line");
    build(&reader, &machine->l1d, engine, "l1d.sets", "l1d.ways", "l1d.line");
    build(&reader, &machine->l2, engine, "l2.sets", "l2.ways", "l2.line");
    build(&reader, &machine->itlb, engine, "itlb.sets", "itlb.ways", "itlb.page");
    build(&reader, &machine->dtlb, engine, "dtlb.sets", "dtlb.ways", "dtlb.page");
    if (machine->has_l3) {
        machine->l3_latency = number(&reader, "l3.latency", 0, LONGEST);
        build(&reader, &machine->l3, engine, "l3.sets", "l3.ways", "l3.line");
    }
    if (!reader.wrong)
        build_seen(machine, engine);
    build_predictor(&reader, &machine->predictor, engine);
    return reader.wrong;
}

void pm_machine_release(struct pm_machine *machine, const struct pm_engine *engine)
{
    struct pm_cache *caches[] = {&machine->l1i,  &machine->l1d,  &machine->l2,  &machine->l3,
                                 &machine->itlb, &machine->dtlb, &machine->seen};
    for (unsigned i = 0; i < sizeof caches / sizeof *caches; i++)
        pm_cache_release(caches[i], engine);
    pm_predictor_release(&machine->predictor, engine);
}
