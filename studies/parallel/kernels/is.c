// Integer sort: keys counted by each thread, the counts summed, keys moved; over and over with other keys.
//   is KEYS STEPS
#include <stdint.h>
#include <string.h>

#include "pool.h"
#include "random.h"

#define BUCKETS 2048u
#define PASSES 2

static size_t keys;
static long steps;
static uint32_t *from, *to;
static size_t (*counts)[BUCKETS]; // of each thread; later where its keys go
static uint64_t sum;

static void pass(long me, unsigned shift) {
  size_t first = first_of(keys, me), last = first_of(keys, me + 1);
  memset(counts[me], 0, sizeof counts[me]);
  for (size_t i = first; i < last; ++i) ++counts[me][from[i] >> shift & (BUCKETS - 1)];
  await_all();
  if (me == 0) { // alone, as such programs do
    size_t place = 0;
    for (size_t bucket = 0; bucket < BUCKETS; ++bucket)
      for (long thread = 0; thread < threads; ++thread) {
        size_t has = counts[thread][bucket];
        counts[thread][bucket] = place;
        place += has;
      }
  }
  await_all();
  for (size_t i = first; i < last; ++i) to[counts[me][from[i] >> shift & (BUCKETS - 1)]++] = from[i];
  await_all();
  if (me == 0) {
    uint32_t *kept = from;
    from = to;
    to = kept;
  }
  await_all();
}

static void *work(void *number) {
  long me = (long)number;
  for (long step = 0; step < steps; ++step) {
    for (size_t i = first_of(keys, me); i < first_of(keys, me + 1); ++i)
      from[i] = (uint32_t)(random_of((uint64_t)step * keys + i) >> 42);
    await_all();
    for (unsigned done = 0; done < PASSES; ++done) pass(me, 11 * done);
    if (me == 0)
      for (size_t i = 1; i < keys; i += 997) sum += from[i] ^ (uint64_t)i << (from[i - 1] <= from[i]);
    await_all();
  }
  return NULL;
}

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "usage: is KEYS STEPS\n"), 2;
  keys = strtoul(words[1], NULL, 10);
  steps = strtol(words[2], NULL, 10);
  from = malloc(keys * sizeof *from);
  to = malloc(keys * sizeof *to);
  counts = malloc(256 * sizeof *counts);
  if (!from || !to || !counts) return perror("is"), 1;
  int status = run_threads(work);
  printf("%llu\n", (unsigned long long)sum);
  return status;
}
