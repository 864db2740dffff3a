// Two loops in turn. No block is ever entered in its middle: what is jumped to is always jumped to.
#include "exit.h"
    .globl _start
    .type first, @function
    .size first, second - first
    .type second, @function
    .size second, end - second
_start:
    mov $5, %ebx            // 1
    jmp again               // 1
again:
    mov $1000, %ecx         // 5
    jmp first               // 5
first:
    inc %rax                // 5000
    dec %ecx                // 5000
    jnz first               // 5000
    mov $750, %ecx          // 5
    jmp second              // 5
second:
    inc %rax                // 3750
    nop                     // 3750
    dec %ecx                // 3750
    jnz second              // 3750
    dec %ebx                // 5
    jnz again               // 5
    EXIT 0                  // 3
end:
