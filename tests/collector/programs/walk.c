// Walks two megabytes again and again, eight bytes of every line.
#include <stdint.h>

enum { BYTES = 2 << 20, LINE = 64, ROUNDS = 100 };

static volatile uint64_t memory[BYTES / sizeof(uint64_t)];

int main(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int at = 0; at < BYTES; at += LINE)
            memory[at / sizeof(uint64_t)]++;
    return 0;
}
