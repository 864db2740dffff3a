// A REP-prefixed string instruction counts once, however many iterations it has.
#include "exit.h"
    .globl _start
_start:
    mov $100, %r8d          // 1
again:
    lea source(%rip), %rsi  // 100
    lea target(%rip), %rdi  // 100
    mov $64, %ecx           // 100
copy:
    rep movsb               // 100
    lea target(%rip), %rdi  // 100
    mov $8, %ecx            // 100
    xor %eax, %eax          // 100
store:
    rep stosq               // 100
    xor %ecx, %ecx          // 100
nothing:
    rep movsq               // 100: with no iteration
    lea source(%rip), %rsi  // 100
    lea same(%rip), %rdi    // 100
    mov $64, %ecx           // 100
compare:
    repe cmpsb              // 100: to the end
    lea source(%rip), %rsi  // 100
    lea target(%rip), %rdi  // 100
    mov $64, %ecx           // 100
differ:
    repe cmpsb              // 100: ends at the first byte
    lea source(%rip), %rdi  // 100
    mov $64, %ecx           // 100
    mov $9, %al             // 100
scan:
    repne scasb             // 100: ends at the tenth byte
    dec %r8d                // 100
    jnz again               // 100
    mov $3, %ecx            // 1
    lea source(%rip), %rsi  // 1
    lea target(%rip), %rdi  // 1
twice:
    rep movsb               // 1
twice_again:
    rep movsb               // 1: beside another one, with no iteration
finish:
    EXIT 0                  // 3

    .data
    .set byte, 0
source:
    .rept 64
    .byte byte
    .set byte, byte + 1
    .endr
same:
    .set byte, 0
    .rept 64
    .byte byte
    .set byte, byte + 1
    .endr
    .bss
target:
    .skip 64
