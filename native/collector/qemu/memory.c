// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STEP = 256, LONGEST = 1 << 24 };

uint64_t memory_base;

static size_t available(uint64_t address, void *to, size_t size)
{
    struct iovec ours = {to, size}, theirs = {(void *)(uintptr_t)(address + memory_base), size};
    // Memory that is not there is an error of this call, and not a fault.
    ssize_t done = process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0);
    return done < 0 ? 0 : (size_t)done;
}

bool memory_read(uint64_t address, void *to, size_t size)
{
    return available(address, to, size) == size;
}

char *memory_text(uint64_t address)
{
    char *text = NULL;
    for (size_t used = 0; used < LONGEST;) {
        // Not across a page, behind which there may be nothing.
        size_t step = STEP - (address + used) % STEP;
        text = realloc(text, used + step);
        size_t got = available(address + used, text + used, step);
        if (got && memchr(text + used, '\0', got))
            return text;
        if (got < step)
            break;
        used += step;
    }
    free(text);
    return NULL;
}
