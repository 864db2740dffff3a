// Nested loops, a call, and a second thread made with raw clone. The numbers are executions.
    .globl _start
_start:
    li s2, 10               // 1
outer:
    li s3, 7                // 10
inner:
    addi t1, t1, 1          // 70
    addi s3, s3, -1         // 70
    bnez s3, inner          // 70
    jal leaf                // 10
    addi s2, s2, -1         // 10
    bnez s2, outer          // 10
    li a7, 220              // 1: clone(VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|CHILD_CLEARTID)
    lla t2, flags           // 2
    ld a0, 0(t2)            // 1
    lla a1, stack_end       // 2
    li a2, 0                // 1
    li a3, 0                // 1
    lla a4, alive           // 2
    ecall                   // 1
    beqz a0, child          // 1 by each thread
    li s2, 500              // 1
parent_loop:
    addi s2, s2, -1         // 500
    bnez s2, parent_loop    // 500
wait:
    lla t3, alive           // as often as it has to
    lw a2, 0(t3)
    beqz a2, finish
    li a7, 98               // futex(&alive, FUTEX_WAIT, its value)
    mv a0, t3
    li a1, 0
    li a3, 0
    ecall
    j wait
finish:
    li a7, 94               // 1: exit_group
    li a0, 6                // 1
    ecall                   // 1
leaf:
    addi t2, t2, 1          // 10
    ret                     // 10
child:
    li s2, 700              // 1
child_loop:
    nop                     // 700
    addi s2, s2, -1         // 700
    bnez s2, child_loop     // 700
    li a7, 93               // 1: exit
    li a0, 0                // 1
    ecall                   // 1

    .data
    .balign 16
alive:
    .quad 1
flags:
    .quad 0x250f00
    .bss
    .balign 16
stack:
    .skip 4096
stack_end:
