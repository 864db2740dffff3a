// Nested loops, calls and a jump into the middle of a block. The numbers are executions.
#include "exit.h"
    .globl _start
_start:
    mov $10, %ecx           // 1
outer:
    mov $7, %edx            // 10
inner:
    add $1, %rax            // 70
    dec %edx                // 70
    jnz inner               // 70
    call leaf               // 10
after_call:
    dec %ecx                // 10
    jnz outer               // 10
    mov $8, %ecx            // 1
from_top:
    add $1, %rbx            // 5: at first, then while %ecx is 7, 6, 5, 4
middle:
    add $2, %rbx            // 8
    dec %ecx                // 8
    jz middle_done          // 8
    cmp $3, %ecx            // 7
    ja from_top             // 7
    jmp middle              // 3
middle_done:
    mov $20, %ecx           // 1
spin:
    loop spin               // 20: jumps to itself, yet each time is an execution
finish:
    EXIT 0                  // 3
leaf:
    lea 1(%rax), %rax       // 10
    ret                     // 10
