// Ends by a signal in the middle of a block: by its argument, a bad load at the head of a hot
// loop (1), a division by zero (2), an undefined instruction (3), a misaligned access (4).
#include "exit.h"
    .globl _start
_start:
    mov 16(%rsp), %rsi      // 1: argv[1]
    movzbl (%rsi), %eax     // 1
    mov $100, %ecx          // 1
    lea word(%rip), %rbx    // 1
    cmp $'1', %eax          // 1
    je load
    cmp $'2', %eax
    je divide
    cmp $'3', %eax
    je undefined
misaligned:
    inc %r13                // 1
    movaps 1(%rbx), %xmm0   // 0
    inc %r13                // 0
    EXIT 0
load:
    add (%rbx), %r12        // 99: faults at the last
    inc %r13                // 99
    dec %ecx                // 99
    cmp $1, %ecx            // 99
    cmove %r14, %rbx        // 99
    jmp load                // 99
divide:
    inc %r13                // 1
    xor %ecx, %ecx          // 1
    div %ecx                // 0
    inc %r13                // 0
    EXIT 0
undefined:
    inc %r13                // 1
    ud2                     // 0
    EXIT 0

    .data
    .balign 16
word:
    .quad 1, 2, 3, 4
