// Events of every kind; the numbers are how often each happens.
#include "exit.h"
    .globl _start
_start:
    mov $3, %r8d
outer:
    mov $4, %ecx
inner:
    dec %ecx
inner_loop:
    jnz inner               // loop: 3 x 3
    dec %r8d
outer_loop:
    jnz outer               // loop: 2
    mov $5, %edi
call_factorial:
    call factorial          // call: 1
    mov $6, %edi
call_even:
    call even               // call: 1
call_chain:
    call chain              // call: 1
    xor %r9d, %r9d
dispatch:
    lea table(%rip), %rax
switch:
    jmp *(%rax,%r9,8)       // forwards, then back: indirect: 2
    .balign 8
table:
    .quad forwards, back, back, done
back:
    // reached by the jump below, which is behind it
    inc %r9d
back_loop:
    jmp dispatch            // loop: 2
forwards:
    inc %r9d
    lea table(%rip), %rax
computed:
    jmp *(%rax,%r9,8)       // indirect, back: 1
done:
    // setjmp and longjmp
    mov %rsp, %rbx
    lea landed(%rip), %rbp
    mov $3, %r8d
landed:
    mov $20, %edi
call_deep:
    call deep               // call: 3
finished:
    mov $1000, %ecx
alone:
alone_loop:
    loop alone              // loop: 999, of one block that jumps to itself
    mov $1, %ecx
    xor %eax, %eax
    mov $100, %edx
    lea -64(%rsp), %rdi
strings:
    mov $7, %ecx
    rep stosb               // no event
    sub $7, %rdi
    dec %edx
strings_loop:
    jnz strings             // loop: 99
    mov $50, %edx
endless:
    dec %edx
    jz out
endless_loop:
    jmp endless             // loop: 49, without a condition
out:
    lea next(%rip), %rax
    push %rax
trampoline:
    ret                     // return: 1, to what follows
next:
    EXIT 0
factorial:
    dec %edi
    jz one
call_itself:
    call factorial          // call: 4
    nop
one:
return_factorial:
    ret                     // return: 5
even:
    test %edi, %edi
    jz even_done
    dec %edi
call_odd:
    call odd                // call: 3
even_done:
return_even:
    ret                     // return: 4
odd:
    test %edi, %edi
    jz odd_done
    dec %edi
    push %rax
call_even_again:
    call even               // call: 3
    pop %rax
odd_done:
return_odd:
    ret                     // return: 3
helper:
return_helper:
    ret                     // return: 1, for its caller
chain:
    nop
tail_call:
    jmp helper              // loop: 1: a branch back like any other
deep:
    dec %edi
    jz jump
call_deeper:
    call deep               // call: 3 x 19
jump:
    mov %rbx, %rsp
    dec %r8d
    jz over
long_jump:
    jmp *%rbp               // indirect: 2
over:
    lea finished(%rip), %rbp
long_jump_out:
    jmp *%rbp               // indirect: 1
