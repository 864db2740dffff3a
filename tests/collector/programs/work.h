// Loops whose executions are counted by the label of an instruction in them.
// Executes the instruction at `work_loop` n times.
static __attribute__((noinline)) void work(unsigned long n)
{
    __asm__ volatile(".globl work_loop\n"
                     "work_loop: add $0, %0\n"
                     "dec %0\n"
                     "jnz work_loop\n"
                     : "+r"(n)
                     :
                     : "cc");
}
