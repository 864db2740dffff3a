.macro EXIT code
    mov $60, %eax
    mov $\code, %edi
    syscall
.endm
