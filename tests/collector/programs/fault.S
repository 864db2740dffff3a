// A load in the middle of a block faults. The handler first repairs the pointer, so that the
// load runs again, and then, for another load, skips it. Neither fault is an execution.
// (Loads whose values nobody uses would not do: Valgrind optimises them away.)
#include "exit.h"
    .globl _start
_start:
    mov $13, %eax           // rt_sigaction(SIGSEGV, ...)
    mov $11, %edi
    lea action(%rip), %rsi
    xor %edx, %edx
    mov $8, %r10d
    syscall
    mov $25, %r12d          // 1
again:
    xor %ebx, %ebx          // 25
    inc %r13                // 25
repaired:
    add (%rbx), %r14        // 25: the second time each
    inc %r13                // 25
    xor %ebx, %ebx          // 25
skipped:
    add (%rbx), %r14        // 0: 3 bytes
after_skipped:
    inc %r13                // 25
    mov $1, %ebx            // 25
    xor %edx, %edx          // 25
    mov $6, %eax            // 25
    div %ebx                // 25: may fault, does not
    dec %r12d               // 25
    jnz again               // 25
finish:
    EXIT 0                  // 3

handler:                    // (signal, info, context)
    lea skipped(%rip), %rcx // 50
    cmp %rcx, 168(%rdx)     // 50: the context's %rip
    je skip                 // 50
    lea word(%rip), %rcx    // 25
    mov %rcx, 128(%rdx)     // 25: the context's %rbx
    ret                     // 25
skip:
    addq $3, 168(%rdx)      // 25
    ret                     // 25
restorer:
    mov $15, %eax           // 50: rt_sigreturn
    syscall                 // 50

    .data
word:
    .quad 1
action:
    .quad handler
    .quad 0x04000004        // SA_RESTORER | SA_SIGINFO
    .quad restorer
    .quad 0
