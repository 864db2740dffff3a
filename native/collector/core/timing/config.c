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

static struct pm_cache cache(struct reader *reader, const char *sets, const char *ways,
                             const char *line)
{
    uint64_t of_sets = power(reader, sets, 1, MOST_SETS);
    uint64_t of_ways = number(reader, ways, 1, MOST_WAYS);
    return pm_cache_of(of_sets, of_ways, power(reader, line, 1, LONGEST_LINE));
}

static void read_predictor(struct reader *reader, struct pm_predictor *predictor)
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
}

static void read_core(struct reader *reader, struct pm_core *core)
{
    core->l1i = cache(reader, "l1i.sets", "l1i.ways", "l1i.line");
    core->l1d = cache(reader, "l1d.sets", "l1d.ways", "l1d.line");
    core->itlb = cache(reader, "itlb.sets", "itlb.ways", "itlb.page");
    core->dtlb = cache(reader, "dtlb.sets", "dtlb.ways", "dtlb.page");
    read_predictor(reader, &core->predictor);
}

// Of several levels beyond the first the last one is shared; the one before, if that is asked for.
static void read_shared(struct reader *reader, struct pm_machine *machine)
{
    machine->l2 = cache(reader, "l2.sets", "l2.ways", "l2.line");
    machine->l2_latency = number(reader, "l2.latency", 0, LONGEST);
    machine->has_l3 = find(reader->text, "l3.sets") != NULL;
    machine->private_l2 = machine->has_l3;
    if (find(reader->text, "l2.shared"))
        machine->private_l2 = !number(reader, "l2.shared", machine->has_l3 ? 0 : 1, 1);
    if (machine->has_l3) {
        machine->l3 = cache(reader, "l3.sets", "l3.ways", "l3.line");
        machine->l3_latency = number(reader, "l3.latency", 0, LONGEST);
    }
}

static void build_shared(struct pm_machine *machine)
{
    uint32_t first = machine->blank.l1d.shift, second = machine->l2.shift;
    machine->owned_shift = machine->private_l2 && second > first ? second : first;
    machine->blank.own_l2 = machine->l2;
    if (!machine->private_l2)
        pm_cache_build(&machine->l2, machine->engine);
    if (machine->has_l3)
        pm_cache_build(&machine->l3, machine->engine);
}

static uint64_t lines_of(const struct pm_cache *cache)
{
    return ((cache->set_mask + 1) * cache->ways << cache->shift) >> PM_USE_LINE;
}

const char *pm_machine_build(struct pm_machine *machine, const struct pm_engine *engine,
                             const char *configuration)
{
    struct reader reader = {.text = configuration};
    *machine = (struct pm_machine){.engine = engine, .width = number(&reader, "width", 1, 64)};
    machine->window = number(&reader, "window", 1, 1 << 16);
    machine->frontend = number(&reader, "frontend", 0, LONGEST);
    machine->memory = number(&reader, "memory", 0, LONGEST);
    machine->itlb_penalty = number(&reader, "itlb.penalty", 0, LONGEST);
    machine->dtlb_penalty = number(&reader, "dtlb.penalty", 0, LONGEST);
    read_shared(&reader, machine);
    read_core(&reader, &machine->blank);
    uint64_t places = pm_places_for(lines_of(machine->has_l3 ? &machine->l3 : &machine->l2));
    machine->uses.mask = (places - 1) * sizeof *machine->uses.places;
    if (!reader.wrong)
        build_shared(machine);
    return reader.wrong;
}
