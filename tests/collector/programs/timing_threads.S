// Two threads and a line that both touch: the first reads it, the other one reads and writes it, and once that
// has ended the first reads it again. The code of each lies in lines of its own.
#include "exit.h"
    .globl _start
    .balign 64
_start:                     // one line
    mov shared(%rip), %ebx
    mov $56, %eax           // clone(VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|PARENT_SETTID|CHILD_CLEARTID)
    mov $0x350f00, %edi
    lea stack_end(%rip), %rsi
    lea alive(%rip), %rdx
    lea alive(%rip), %r10
    xor %r8d, %r8d
    syscall
    test %eax, %eax
    jz child
    .balign 64
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
    .balign 64
finish:                     // one line
    mov shared(%rip), %ebx
    EXIT 0
    .balign 64
child:                      // one line
    mov $100, %ecx
child_loop:
    mov shared(%rip), %ebx  // 100
    mov %ebx, shared(%rip)  // 100
    dec %ecx
    jnz child_loop
    EXIT 0

    .bss
    .balign 4096
shared:
    .skip 64
alive:
    .skip 64
stack:
    .skip 4096
stack_end:
