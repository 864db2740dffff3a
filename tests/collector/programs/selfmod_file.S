// Code of the program's own file, in a writable segment, that changes itself: each second call
// of `patched` runs one instruction more.
#include "exit.h"
    .section .mutable, "awx"
    .globl _start
_start:
    mov $40, %r12d          // 1
again:
    movb $0xc3, patched_at(%rip) // 40: ret
    call patched            // 40
    movb $0x90, patched_at(%rip) // 40: nop
    call patched            // 40
    dec %r12d               // 40
    jnz again               // 40
finish:
    EXIT 0                  // 3
patched:
    inc %rax                // 80
patched_at:
    nop                     // 80: nop or ret
patched_end:
    ret                     // 40
