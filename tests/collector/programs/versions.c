// A program of which there are two versions: in the newer one `mix` works twice as much, and `checksum` is new.
#include <stdio.h>

enum { SIZE = 1000 };
static unsigned data[SIZE];
static volatile unsigned sink;
#ifdef NEW
enum { ROUNDS = 40 };
#else
enum { ROUNDS = 20 };
#endif

__attribute__((noinline)) static void scan(int rounds) {
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < SIZE; i++) sink += data[i];
}

__attribute__((noinline)) static void mix(int rounds) {
    unsigned x = 1;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < SIZE; i++) {
            x = x * 1664525 + 1013904223;
            data[x % SIZE] ^= x >> 9;
        }
}

#ifdef NEW
__attribute__((noinline)) static void checksum(int rounds) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < SIZE; i++) sum = (sum << 1 | sum >> 31) ^ data[i];
    sink = sum;
}
#endif

int main(void) {
    for (int i = 0; i < 3; i++) {
        scan(40);
        mix(ROUNDS);
#ifdef NEW
        checksum(30);
#endif
    }
    printf("%u\n", sink);
    return 0;
}
