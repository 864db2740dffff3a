// Blocks that turn out to be two only after they ran as one, and run as one again after that.
#include "exit.h"
    .globl _start
_start:
    mov $3, %ebx            // 1
round:
    mov $10, %ecx           // 3
whole:
    inc %rax                // 15: while %ecx is 10, 9, 8, 7, 6
half:
    nop                     // 30
    dec %ecx                // 30
    jz next                 // 30
    cmp $5, %ecx            // 27
    ja whole                // 27
    jmp half                // 15
next:
    dec %ebx                // 3
    jnz round               // 3
    EXIT 0                  // 3
