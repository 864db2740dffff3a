// A branch taken every other time, recursion 40 calls deep, and calls of three methods in turn.
#include "exit.h"
    .globl _start
_start:
    mov $1000, %ecx         // 1
alternate:
    test $1, %cl            // 1,000
    jz even                 // 1,000: taken every other time, beginning with the first
odd:
    nop                     // 500
even:
    dec %ecx                // 1,000
    jnz alternate           // 1,000
    mov $10, %ebx           // 1
deep:
    mov $40, %edi           // 10
    call recurse            // 10
    dec %ebx                // 10
    jnz deep                // 10
    mov $100, %ebx          // 1
objects:
    mov $methods, %esi      // 100
object:
    call *(%rsi)            // 300
    add $8, %rsi            // 300
    cmp $methods_end, %rsi  // 300
    jne object              // 300
    dec %ebx                // 100
    jnz objects             // 100
    mov $50, %ebx           // 1
alike:
    call *methods(%rip)     // 50
    dec %ebx                // 50
    jnz alike               // 50
    EXIT 0                  // 3

recurse:
    dec %edi                // 400
    jz deepest              // 400
    call recurse            // 390
deepest:
    ret                     // 400
first:
    ret                     // 100 + 50
second:
    ret                     // 100
third:
    ret                     // 100

    .data
    .balign 8
methods:
    .quad first, second, third
methods_end:
