// Nested loops, a call, and a second thread made with raw clone. The numbers are executions.
    .globl _start
_start:
    mov x19, #10            // 1
outer:
    mov x20, #7             // 10
inner:
    add x1, x1, #1          // 70
    subs x20, x20, #1       // 70
    b.ne inner              // 70
    bl leaf                 // 10
    subs x19, x19, #1       // 10
    b.ne outer              // 10
    mov x8, #220            // 1: clone(VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|CHILD_CLEARTID)
    ldr x0, =0x250f00       // 1
    ldr x1, =stack_end      // 1
    mov x2, #0              // 1
    mov x3, #0              // 1
    ldr x4, =alive          // 1
    svc #0                  // 1
    cbz x0, child           // 1 by each thread
    mov x19, #500           // 1
parent_loop:
    subs x19, x19, #1       // 500
    b.ne parent_loop        // 500
wait:
    ldr x5, =alive          // as often as it has to
    ldr w2, [x5]
    cbz w2, finish
    mov x8, #98             // futex(&alive, FUTEX_WAIT, its value)
    mov x0, x5
    mov x1, #0
    mov x3, #0
    svc #0
    b wait
finish:
    mov x8, #94             // 1: exit_group
    mov x0, #6              // 1
    svc #0                  // 1
leaf:
    add x2, x2, #1          // 10
    ret                     // 10
child:
    mov x19, #700           // 1
child_loop:
    nop                     // 700
    subs x19, x19, #1       // 700
    b.ne child_loop         // 700
    mov x8, #93             // 1: exit
    mov x0, #0              // 1
    svc #0                  // 1

    .data
    .balign 16
alive:
    .quad 1
    .bss
    .balign 16
stack:
    .skip 4096
stack_end:
