// The same address, mapped twice with other code in it: two modules.
#include "exit.h"
    .globl _start
_start:
    movl $0xc3c0ff48, %r13d // inc %rax; ret
    call map_and_run
    movl $0xc3c8ff48, %r13d // dec %rax; ret
    call map_and_run
    EXIT 0
map_and_run:
    mov $9, %eax            // mmap
    mov $0x10000000, %edi
    mov $4096, %esi
    mov $7, %edx            // read, write, execute
    mov $0x32, %r10d        // private, fixed, anonymous
    mov $-1, %r8
    xor %r9d, %r9d
    syscall
    mov %rax, %rbp
    mov %r13d, (%rbp)
    call *%rbp
    mov $11, %eax           // munmap
    mov %rbp, %rdi
    mov $4096, %esi
    syscall
    ret
