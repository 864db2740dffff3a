// An instruction across the edge of two pages, in a hot loop.
#include "exit.h"
    .globl _start
    .balign 4096
_start:
    mov $1000, %ecx         // 1
    jmp loop                // 1
    .org _start + 4096 - 9
loop:
    add $1, %rax            // 1000, 4 bytes
    nop                     // 1000, 1 byte
straddling:
    movabs $0x1122334455667788, %rbx // 1000, 10 bytes: 4 before the edge
    dec %ecx                // 1000
    jnz loop                // 1000
finish:
    EXIT 0                  // 3
