// Walks 64 lines as often as there are arguments; then forks, and the child walks them once more.
#include "exit.h"
    .globl _start
    .balign 64
_start:
    mov (%rsp), %rcx        // the arguments, with the program's name
walk:
    mov $64, %edx
    lea lines(%rip), %rsi
step:
    mov (%rsi), %eax
    add $64, %rsi
    dec %edx
    jnz step
    dec %ecx
    jnz walk
    mov $57, %eax           // fork()
    syscall
    test %eax, %eax
    jz child
    mov $61, %eax           // wait4(-1, NULL, 0, NULL)
    mov $-1, %rdi
    xor %esi, %esi
    xor %edx, %edx
    xor %r10d, %r10d
    syscall
    EXIT 0
    .balign 64
child:
    mov $64, %edx
    lea lines(%rip), %rsi
child_step:
    mov (%rsi), %eax        // 64
    add $64, %rsi
    dec %edx
    jnz child_step
    EXIT 0

    .bss
    .balign 4096
lines:
    .skip 4096
