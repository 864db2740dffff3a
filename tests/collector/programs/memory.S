// Accesses of every kind, whose lines are known: those of `a`, `b`, `c` and `text` are their own.
#include "exit.h"
    .globl _start
_start:
    mov a, %eax
    mov b, %ebx
    mov %eax, a
    incl a                  // loaded and stored
    lock xaddl %eax, b      // loaded, compared, and stored
    mov $2, %ecx
    cmp $3, %ecx
    cmove c, %ebx           // loaded whatever the condition
    mov $70, %ecx
    mov $text, %esi
    mov $a, %edi
    rep movsb               // 70 bytes, each loaded and stored
    pushq b                 // loaded, and stored on the stack
    popq c                  // loaded from there, and stored
    movups text+56, %xmm0   // known by its first byte
    jmp end
end:
    EXIT 0

    .data
    .balign 64
a:  .skip 128
b:  .skip 64
c:  .skip 64
text:
    .skip 128
