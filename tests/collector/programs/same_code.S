// One loop over 64 lines of 64 bytes, 1,024 times, then over 16,384 lines, 4 times: the same code, other data.
#include "exit.h"
    .globl _start
_start:
    mov $small, %edi        // 1
    mov $64, %esi           // 1
    mov $1024, %ecx         // 1
again:
    mov %edi, %eax          // 1,024, and 4
    mov %esi, %edx          // 1,024, and 4
next:
    mov (%rax), %ebx        // 65,536, and 65,536
    add $64, %rax           // 65,536, and 65,536
    dec %edx                // 65,536, and 65,536
    jnz next                // 65,536, and 65,536
    dec %ecx                // 1,024, and 4
    jnz again               // 1,024, and 4
    cmp $64, %esi           // 1, and 1
    jne done                // 1, and 1
    mov $large, %edi        // 1
    mov $16384, %esi        // 1
    mov $4, %ecx            // 1
    jmp again               // 1
done:
    EXIT 0                  // 3

    .bss
    .balign 4096
small:
    .skip 64 * 64
large:
    .skip 64 * 16384
