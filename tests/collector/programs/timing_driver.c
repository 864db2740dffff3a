// Feeds the timing model from standard input, one block a line, and prints what it counted of each thread:
//   thread last address end branch instructions ending operand, then per access: address size at store
// A line that begins with `w` is of a block that ran while the model was off; `last` is 1 where its thread
// ends with it. Uses of lines are noted in as many places as the first argument says, if there are two.
#include "timing/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void *resize(void *old, size_t bytes)
{
    return realloc(old, bytes);
}

static const struct pm_engine engine = {.resize = resize, .release = free};

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (file)
        fread(text, 1, (1 << 16) - 1, file);
    return text;
}

static void print(unsigned thread, struct pm_timing *timing, uint64_t width)
{
    pm_events_complete(&timing->events);
    timing->events.cycles /= width;
    for (size_t i = 0; i < PM_EVENTS; i++)
        printf("%u %s %" PRIu64 "\n", thread, pm_event_names[i], ((uint64_t *)&timing->events)[i]);
    free(timing);
}

static void note(struct pm_uses *uses, uint64_t address, uint64_t code)
{
    *pm_use_of(uses, address) = (struct pm_use){address | code, uses->now};
}

// As generated code does.
static void note_block(struct pm_uses *uses, const struct pm_timed_block *block, const uint64_t *operands)
{
    uses->now += PM_USE_STEP;
    for (uint64_t line = block->address >> PM_USE_LINE; line <= (block->next - 1) >> PM_USE_LINE; line++)
        note(uses, line << PM_USE_LINE, PM_USE_CODE);
    for (uint32_t i = 0; i < block->accesses; i++)
        note(uses, operands[i], 0);
}

int main(int count, char **arguments)
{
    static struct pm_machine machine;
    enum { THREADS = 1000 };
    static struct pm_timing *threads[THREADS];
    static char line[1 << 16];
    static uint64_t operands[PM_MOST_ACCESSES + 1];
    struct pm_timed_block *block =
        malloc(sizeof *block + PM_MOST_ACCESSES * sizeof *block->access);
    const char *wrong = pm_machine_build(&machine, &engine, file_text(arguments[count - 1]));
    if (wrong) {
        printf("%s\n", wrong);
        return 1;
    }
    if (count > 2) {
        machine.uses.places = calloc((size_t)atoi(arguments[1]), sizeof *machine.uses.places);
        machine.uses.mask = ((uint64_t)atoi(arguments[1]) - 1) * sizeof *machine.uses.places;
    }
    uint64_t before = UINT64_MAX;
    while (fgets(line, sizeof line, stdin)) {
        char *at = line + (*line == 'w');
        uint64_t thread = strtoull(at, &at, 10), last = strtoull(at, &at, 10);
        *block = (struct pm_timed_block){.address = strtoull(at, &at, 10)};
        block->next = strtoull(at, &at, 10);
        block->branch = strtoull(at, &at, 10);
        block->instructions = (uint32_t)strtoull(at, &at, 10);
        block->ending = (enum pm_ending)strtoull(at, &at, 10);
        uint64_t operand = strtoull(at, &at, 10);
        while (*at == ' ') {
            struct pm_access *access = &block->access[block->accesses];
            operands[block->accesses++] = strtoull(at, &at, 10);
            access->size = (uint32_t)strtoull(at, &at, 10);
            access->at = (uint16_t)strtoull(at, &at, 10);
            access->store = strtoull(at, &at, 10);
            block->stores += access->store;
        }
        operands[block->accesses] = operand;
        if (!threads[thread])
            threads[thread] = calloc(1, sizeof *threads[thread]);
        if (!threads[thread]->core)
            threads[thread]->core = pm_machine_take_core(&machine);
        pm_machine_build_core(threads[thread]->core);
        pm_machine_run(&machine, threads[thread]);
        bool on = *line != 'w';
        if (before != 2 * thread + on)
            pm_machine_switch(&machine, on);
        before = last ? UINT64_MAX : 2 * thread + on;
        if (machine.uses.places)
            note_block(&machine.uses, block, operands);
        if (on)
            pm_machine_block(&machine, block, operands, block->instructions);
        if (last) {
            pm_machine_leave_core(threads[thread]->core);
            threads[thread]->core = NULL;
        }
    }
    for (unsigned thread = 0; thread < THREADS; thread++)
        if (threads[thread])
            print(thread, threads[thread], machine.width);
    free(block);
    free(machine.uses.places);
    pm_machine_release(&machine);
    return 0;
}
