// Two threads made with raw clone; the first waits for the other one's end.
#include "exit.h"
    .globl _start
_start:
    mov $56, %eax           // clone(VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|PARENT_SETTID|CHILD_CLEARTID)
    mov $0x350f00, %edi
    lea stack_end(%rip), %rsi
    lea alive(%rip), %rdx
    lea alive(%rip), %r10
    xor %r8d, %r8d
    syscall
    test %eax, %eax         // 1 by each thread
    jz child                // 1 by each thread
    mov $500, %ecx          // 1
parent_loop:
    inc %rax                // 500
    dec %ecx                // 500
    jnz parent_loop         // 500
wait:
    mov alive(%rip), %edx
    test %edx, %edx
    jz finish
    mov $202, %eax          // futex(&alive, FUTEX_WAIT, its value)
    lea alive(%rip), %rdi
    xor %esi, %esi
    xor %r10d, %r10d
    syscall
    jmp wait
finish:
    EXIT 0                  // 3
child:
    mov $700, %ecx          // 1
child_loop:
    inc %rax                // 700
    nop                     // 700
    dec %ecx                // 700
    jnz child_loop          // 700
child_finish:
    EXIT 0                  // 3

    .bss
    .balign 16
alive:
    .skip 16
stack:
    .skip 4096
stack_end:
