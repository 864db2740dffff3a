// SPDX-License-Identifier: GPL-2.0-or-later
// What LZ4's object file names, for functions of it that are not called here.
#include <stddef.h>

_Noreturn void abort(void);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);
_Noreturn void __stack_chk_fail(void);

void *malloc(size_t size)
{
    (void)size;
    abort();
}

void *calloc(size_t count, size_t size)
{
    (void)count, (void)size;
    abort();
}

void free(void *memory)
{
    (void)memory;
    abort();
}

void __stack_chk_fail(void)
{
    abort();
}
