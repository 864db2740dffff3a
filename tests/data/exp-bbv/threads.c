/* Three threads without a C library, so that the vectors stay small. Built with
   gcc -O1 -static -nostdlib -fno-stack-protector -o threads threads.c, recorded with
   valgrind --tool=exp-bbv --interval-size=10000 --bb-out-file=bb.out.77 --pc-out-file=pc.out.77 ./threads */
static volatile unsigned long sink;
static volatile int ended;
static char stacks[2][65536] __attribute__((aligned(16)));

static long call(long n, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}

__attribute__((noinline)) static void square(unsigned long n) {
  for (unsigned long i = 0; i < n; i++) sink += i * i;
}

__attribute__((noinline)) static void add(unsigned long n) {
  for (unsigned long i = 0; i < n; i++) sink += i;
}

__attribute__((noinline)) static void child(unsigned long n) {
  square(n);
  add(n);
  __sync_fetch_and_add(&ended, 1);
  call(60, 0, 0, 0, 0, 0);
}

void _start(void) {
  for (int i = 0; i < 2; i++) {
    if (call(56, 0x10f00, (long)(stacks[i] + 65536 - 64), 0, 0, 0) == 0) child(2000 * (i + 1));
  }
  square(4000);
  add(3000);
  while (ended < 2) call(24, 0, 0, 0, 0, 0);
  call(231, 0, 0, 0, 0, 0);
}
