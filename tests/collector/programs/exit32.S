// A program for 32-bit x86.
    .globl _start
_start:
    mov $1, %eax
    mov $4, %ebx
    int $0x80
