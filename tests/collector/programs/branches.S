// Branches whose ways are known: a loop of 100 turns; in it one that is taken every third turn, one that is never
// taken, and a jump by address that goes to each of two places in turn, ten times to each.
#include "exit.h"
    .globl _start, third, never, by_address, looped, even, odd
_start:
    xor %ecx, %ecx          // turns
    xor %edx, %edx          // turns modulo 3
loop:
    cmp $2, %edx
third:
    je again
    inc %edx
    jmp next
again:
    xor %edx, %edx
next:
    cmp $1000, %ecx
never:
    je loop
    mov %ecx, %eax
    mov $10, %ebx
    push %rdx
    xor %edx, %edx
    div %ebx                // tens of turns
    pop %rdx
    mov $even, %esi
    mov $odd, %edi
    test $1, %al
    cmovnz %edi, %esi
by_address:
    jmp *%rsi
even:
    nop
    jmp on
odd:
    nop
on:
    inc %ecx
    cmp $100, %ecx
looped:
    jne loop
    call back               // a return, which is none of them
    EXIT 0
back:
    ret
