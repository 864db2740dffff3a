// A chain of pointers over 1,000 lines of 64 bytes, walked ten times: more than a first level holds.
#include "exit.h"
    .globl _start
_start:
    mov $10, %ecx           // 1
again:
    mov $chain, %eax        // 10
    mov $1000, %edx         // 10
next:
    mov (%rax), %rax        // 10,000
    dec %edx                // 10,000
    jnz next                // 10,000
    dec %ecx                // 10
    jnz again               // 10
    EXIT 0                  // 3

    .data
    .balign 4096
chain:
    .set line, 0
    .rept 1000
    .set line, line + 1
    .quad chain + 64 * line
    .skip 56
    .endr
