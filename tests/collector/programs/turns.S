// Three kinds of work in turns, 16 times: additions, loads from 256 KiB, and branches as a generator of numbers
// has them. Nothing of it depends on how the program is started: on its environment, folder or process numbers.
#include "exit.h"

    .bss
    .balign 4096
memory:
    .skip 1 << 18

    .text
    .globl _start
_start:
    mov $16, %r12
    mov $88172645463325252, %r13
turn:
    mov $20000, %ecx
1:  add $3, %rax
    dec %ecx
    jnz 1b

    mov $4, %edx
2:  lea memory(%rip), %rsi
    mov $4096, %ecx
3:  mov (%rsi), %rax
    add $64, %rsi
    dec %ecx
    jnz 3b
    dec %edx
    jnz 2b

    mov $8000, %ecx
4:  mov %r13, %rax
    shl $13, %rax
    xor %rax, %r13
    mov %r13, %rax
    shr $7, %rax
    xor %rax, %r13
    mov %r13, %rax
    shl $17, %rax
    xor %rax, %r13
    test $1, %r13d
    jz 5f
    add $1, %rbx
5:  dec %ecx
    jnz 4b

    dec %r12
    jnz turn
    EXIT 0
