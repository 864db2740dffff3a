// Two processes increment one number in shared memory, 300000 times each. Under Valgrind a
// locked instruction is a compare-and-swap that may fail and be tried again.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    long *number = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    for (int i = 0; i < 300000; i++)
        __asm__ volatile("nop\n"
                         ".globl locked_at\n"
                         "locked_at: lock incq %0\n"
                         ".globl after_at\n"
                         "after_at: nop\n"
                         : "+m"(*number));
    if (child == 0)
        _exit(0);
    wait(0);
    return *number != 600000;
}
