// Code written into anonymous memory, run, changed in place and run again.
#include "exit.h"
    .globl _start
_start:
    mov $9, %eax            // mmap
    xor %edi, %edi
    mov $4096, %esi
    mov $7, %edx            // read, write, execute
    mov $0x22, %r10d        // private, anonymous
    mov $-1, %r8
    xor %r9d, %r9d
    syscall
    mov %rax, %rbp
    movl $0xc3c0ff48, (%rbp) // 1: inc %rax; ret
    mov $50, %r12d          // 1
first:
    call *%rbp              // 50, then 2 in the called code
    dec %r12d               // 50
    jnz first               // 50
    movl $0xc0ff4890, (%rbp) // 1: nop; inc %rax
    movb $0xc3, 4(%rbp)     // 1: ret
    mov $30, %r12d          // 1
second:
    call *%rbp              // 30, then 3 in the called code
    dec %r12d               // 30
    jnz second              // 30
finish:
    EXIT 0                  // 3
