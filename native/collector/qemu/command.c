// SPDX-License-Identifier: GPL-2.0-or-later
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct command command;

char *command_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    while (file && !feof(file) && !ferror(file)) {
        if (*size + 1 >= room) {
            room = room ? 2 * room : 4096;
            text = realloc(text, room);
        }
        *size += fread(text + *size, 1, room - 1 - *size, file);
    }
    if (file)
        fclose(file);
    if (text)
        text[*size] = '\0';
    return text;
}

bool command_read(size_t before)
{
    size_t size;
    char *text = command_file("/proc/self/cmdline", &size);
    for (char *at = text; text && at < text + size; at += strlen(at) + 1)
        command.count++;
    command.words = calloc(command.count + 1, sizeof *command.words);
    size_t i = 0;
    for (char *at = text; i < command.count; at += strlen(at) + 1)
        command.words[i++] = at;
    command.name = before + 1;
    return before && before + 2 < command.count && strcmp(command.words[before], "-0") == 0;
}
