// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <stdbool.h>
#include <stddef.h>

// BLAKE2b (RFC 7693), without a key.
enum { CHUNK = 128, DIGEST = 8, ROUNDS = 12 };

static const uint64_t beginning[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static uint64_t turned(uint64_t value, unsigned bits)
{
    return value >> bits | value << (64 - bits);
}

static void mix(uint64_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = turned(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = turned(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 63);
}

// The text's next bytes as words, with zeros after its end.
static void read_words(uint64_t *words, const char *text, size_t bytes)
{
    for (unsigned i = 0; i < 16; i++)
        words[i] = 0;
    for (size_t i = 0; i < bytes; i++)
        words[i / 8] |= (uint64_t)(unsigned char)text[i] << 8 * (i % 8);
}

static void compress(uint64_t *hash, const uint64_t *words, uint64_t bytes_so_far, bool is_last)
{
    uint64_t v[16];
    for (unsigned i = 0; i < 8; i++) {
        v[i] = hash[i];
        v[i + 8] = beginning[i];
    }
    v[12] ^= bytes_so_far;
    if (is_last)
        v[14] = ~v[14];
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint8_t *s = order[round % 10];
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, i + 4, i + 8, i + 12, words[s[2 * i]], words[s[2 * i + 1]]);
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words[s[8 + 2 * i]],
                words[s[9 + 2 * i]]);
    }
    for (unsigned i = 0; i < 8; i++)
        hash[i] ^= v[i] ^ v[i + 8];
}

uint64_t pm_name_salt(const char *name)
{
    uint64_t hash[8], words[16];
    size_t length = 0, at = 0;
    while (name[length])
        length++;
    for (unsigned i = 0; i < 8; i++)
        hash[i] = beginning[i];
    hash[0] ^= 0x01010000 ^ DIGEST;
    for (; length - at > CHUNK; at += CHUNK) {
        read_words(words, name + at, CHUNK);
        compress(hash, words, at + CHUNK, false);
    }
    read_words(words, name + at, length - at);
    compress(hash, words, length, true);
    return hash[0];
}
