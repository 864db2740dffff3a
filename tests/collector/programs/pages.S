// Reads the first line of each of 1,000 pages, 100 times over; then each page's second line; then the first again.
        .set    PAGES, 1000
        .globl  _start
_start: mov     $100, %ecx
round:  mov     $memory, %rax
        mov     $PAGES, %edx
first:  mov     (%rax), %rbx
        add     $4096, %rax
        dec     %edx
        jnz     first
        dec     %ecx
        jnz     round
        mov     $memory + 64, %rax
        mov     $PAGES, %edx
second: mov     (%rax), %rbx
        add     $4096, %rax
        dec     %edx
        jnz     second
        mov     $memory, %rax
        mov     $PAGES, %edx
again:  mov     (%rax), %rbx
        add     $4096, %rax
        dec     %edx
        jnz     again
        mov     $60, %eax
        xor     %edi, %edi
        syscall

        .bss
        .balign 4096
memory: .zero   4096 * PAGES
