// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules.h"

static bool holds(const struct pm_module *module, uint64_t address)
{
    return module->mapped && address - module->start < module->length;
}

int64_t pm_modules_find(struct pm_modules *modules, uint64_t address)
{
    if (modules->recent < modules->list.used
        && holds(&modules->list.items[modules->recent], address))
        return (int64_t)modules->recent;
    for (size_t i = 0; i < modules->list.used; i++) {
        if (holds(&modules->list.items[i], address)) {
            modules->recent = i;
            return (int64_t)i;
        }
    }
    return -1;
}

static const char *copy_of(struct pm_modules *modules, const char *name)
{
    size_t size = 1;
    while (name[size - 1])
        size++;
    char *copy = modules->engine->resize(NULL, size);
    for (size_t i = 0; i < size; i++)
        copy[i] = name[i];
    return copy;
}

uint32_t pm_modules_add(struct pm_modules *modules, struct pm_module module)
{
    module.name = copy_of(modules, module.name);
    module.mapped = true;
    module.written = false;
    modules->recent = modules->list.used;
    PM_PUSH(modules->engine, &modules->list, module);
    return (uint32_t)modules->recent;
}

void pm_modules_write(struct pm_modules *modules, uint32_t id)
{
    struct pm_module *module = &modules->list.items[id];
    struct pm_stream *stream = modules->stream;
    if (module->written)
        return;
    module->written = true;
    pm_stream_begin(stream, 'M');
    pm_stream_varint(stream, id);
    pm_stream_varint(stream, module->start);
    pm_stream_varint(stream, module->length);
    pm_stream_varint(stream, module->file_offset);
    pm_stream_varint(stream, module->kind);
    pm_stream_string(stream, module->name);
    pm_stream_end(stream);
}

void pm_modules_unmap(struct pm_modules *modules, uint64_t start, uint64_t length)
{
    for (size_t i = 0; i < modules->list.used; i++) {
        struct pm_module *module = &modules->list.items[i];
        if (start < module->start + module->length && module->start < start + length)
            module->mapped = false;
    }
}

void pm_modules_rewrite(struct pm_modules *modules)
{
    for (size_t i = 0; i < modules->list.used; i++)
        modules->list.items[i].written = false;
}
