// SPDX-License-Identifier: GPL-2.0-or-later
// What LZ4's object file names: for functions of it that are not called here, and what some
// distributions' compilers make of its calls of memcpy and its like, which the engine has.
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int byte, size_t size, size_t room);
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

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    (void)room;
    return memcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
{
    (void)room;
    return memmove(to, from, size);
}

void *__memset_chk(void *to, int byte, size_t size, size_t room)
{
    (void)room;
    return memset(to, byte, size);
}
