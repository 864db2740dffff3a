// Writes 64 KB eight bytes at a time, and then reads a byte of each of its 16 pages, twenty times.
#include "exit.h"
    .globl _start
_start:
    mov $8192, %ecx         // 1
    mov $array, %eax        // 1
write:
    mov %rcx, (%rax)        // 8,192
    add $8, %rax            // 8,192
    dec %ecx                // 8,192
    jnz write               // 8,192
    mov $20, %ecx           // 1
pages:
    mov $array, %eax        // 20
    mov $16, %edx           // 20
page:
    movb (%rax), %bl        // 320
    add $4096, %rax         // 320
    dec %edx                // 320
    jnz page                // 320
    dec %ecx                // 20
    jnz pages               // 20
    EXIT 0                  // 3

    .bss
    .balign 65536
array:
    .skip 65536
