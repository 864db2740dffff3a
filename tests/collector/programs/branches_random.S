// Branches that go as the bits of a shift register do: its feedback, one that is taken every fourth time, and a
// jump and a call by address to four places each.
#include "exit.h"
    .globl _start, fed, fourth, by_address, by_call, looped, places, callees
    .globl place_0, place_1, place_2, place_3, callee_0, callee_1, callee_2, callee_3
_start:
    mov $0xACE1, %eax       // the register
    mov $3000, %ecx         // turns left
turn:
    shr %eax
fed:
    jnc whole
    xor $0xB400, %eax
whole:
    test $6, %al
    .skip 1, 0x90        // see the test: so that none shares counters with another
fourth:
    jz on
    nop
on:
    mov %eax, %ebx
    and $3, %ebx
    mov places(, %rbx, 8), %rsi
by_address:
    jmp *%rsi
place_0:
    nop
place_1:
    nop
place_2:
    nop
place_3:
    mov %eax, %ebx
    shr $3, %ebx
    and $3, %ebx
by_call:
    call *callees(, %rbx, 8)
    dec %ecx
looped:
    jnz turn
    EXIT 0
callee_0:
    nop
callee_1:
    nop
callee_2:
    nop
callee_3:
    ret
    .section .rodata
    .balign 8
places:
    .quad place_0, place_1, place_2, place_3
callees:
    .quad callee_0, callee_1, callee_2, callee_3
