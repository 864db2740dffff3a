// Three kinds of work in turns, 16 times: additions, loads from 256 KiB, and branches as a generator of numbers
// has them; says when it begins and when it ends. Arguments: how many turns (up to 9), the exit status (up to
// 9), and anything third, for which it ends itself by SIGTERM. Nothing of it depends on how the program is
// started: on its environment, folder or process numbers.
#include "exit.h"

.macro SAY text, length
    mov $1, %eax            // write(1, text, length)
    mov $1, %edi
    lea \text(%rip), %rsi
    mov $\length, %edx
    syscall
.endm

    .bss
    .balign 4096
memory:
    .skip 1 << 18

    .section .rodata
begin:
    .ascii "begin\n"
end:
    .ascii "end\n"

    .text
    .globl _start
_start:
    mov (%rsp), %r15        // the arguments, with the program's name
    mov $16, %r12
    xor %r14d, %r14d
    cmp $2, %r15
    jb go
    mov 16(%rsp), %rax
    movzbl (%rax), %r12d
    sub $'0', %r12d
    cmp $3, %r15
    jb go
    mov 24(%rsp), %rax
    movzbl (%rax), %r14d
    sub $'0', %r14d
go: SAY begin, 6
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
    SAY end, 4
    cmp $4, %r15
    jb 6f
    mov $39, %eax           // kill(getpid(), SIGTERM)
    syscall
    mov %eax, %edi
    mov $15, %esi
    mov $62, %eax
    syscall
6:  mov $60, %eax           // exit(status)
    mov %r14d, %edi
    syscall
