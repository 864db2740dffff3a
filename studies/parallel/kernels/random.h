// Numbers that look random, the same on every machine: Steele's splitmix64.
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t random_of(uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
  n = (n ^ n >> 27) * 0x94d049bb133111ebu;
  return n ^ n >> 31;
}

// In [0, 1).
static inline double fraction_of(uint64_t n) { return (double)(random_of(n) >> 11) * 0x1p-53; }

#endif
