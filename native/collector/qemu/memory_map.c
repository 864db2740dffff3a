// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

struct mapping {
    uint64_t start, end, offset;
    char *name; // within the line that it was read from
};

static bool parse(char *line, struct mapping *mapping)
{
    int name = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &mapping->start,
               &mapping->end, &mapping->offset, &name) < 3)
        return false;
    mapping->name = name ? line + name : line + strlen(line);
    mapping->name[strcspn(mapping->name, "\n")] = '\0';
    char *gone = strstr(mapping->name, " (deleted)");
    if (gone)
        *gone = '\0';
    return true;
}

static bool is_file(const struct mapping *mapping)
{
    return mapping->name[0] == '/';
}

// What follows without a gap, of the same file or of none: QEMU protects pages whose code it has
// translated, and so parts mappings that are one.
static bool goes_on(const struct mapping *mapping, const struct mapping *next)
{
    return next->start == mapping->end && strcmp(next->name, mapping->name) == 0
           && (!is_file(mapping) || next->offset == mapping->offset + mapping->end - mapping->start);
}

// The mapping around an address of this process, with those that it goes on in; its name is allocated.
static bool find(uint64_t address, struct mapping *found)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    struct mapping next;
    *found = (struct mapping){.name = strdup("")};
    while (maps && getline(&line, &room, maps) > 0) {
        if (!parse(line, &next))
            continue;
        if (goes_on(found, &next)) {
            found->end = next.end;
            continue;
        }
        if (address < found->end || address < next.start)
            break;
        free(found->name);
        *found = next;
        found->name = strdup(next.name);
    }
    free(line);
    if (maps)
        fclose(maps);
    return found->start <= address && address < found->end;
}

uint32_t memory_map_module(struct pm_modules *modules, uint64_t address, uint64_t base)
{
    int64_t known = pm_modules_find(modules, address);
    if (known >= 0)
        return (uint32_t)known;

    struct mapping mapping;
    struct pm_module module = {.start = address & ~(uint64_t)(PAGE - 1),
                               .length = PAGE,
                               .kind = PM_MODULE_KERNEL,
                               .name = "[kernel]"};
    if (find(address + base, &mapping)) {
        bool file = is_file(&mapping);
        module = (struct pm_module){.start = mapping.start - base,
                                    .length = mapping.end - mapping.start,
                                    .file_offset = file ? mapping.offset : 0,
                                    .kind = file ? PM_MODULE_FILE : PM_MODULE_ANONYMOUS,
                                    .name = file ? mapping.name : ""};
    }
    uint32_t id = pm_modules_add(modules, module);
    free(mapping.name);
    return id;
}
