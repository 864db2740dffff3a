// Embarrassingly parallel: pairs of numbers in a circle made normal, counted by how large they are.
//   ep PAIRS
#include <math.h>

#include "pool.h"
#include "random.h"

static size_t pairs;
static unsigned long found[256][16];

static void *work(void *number) {
  long me = (long)number;
  for (size_t i = first_of(pairs, me); i < first_of(pairs, me + 1); ++i) {
    double x = 2 * fraction_of(2 * i) - 1, y = 2 * fraction_of(2 * i + 1) - 1, t = x * x + y * y;
    if (t > 1 || t == 0) continue;
    double by = sqrt(-2 * log(t) / t), larger = fmax(fabs(x * by), fabs(y * by));
    ++found[me][larger < 15 ? (int)larger : 15];
  }
  return NULL;
}

int main(int count, char **words) {
  if (count != 2) return fprintf(stderr, "usage: ep PAIRS\n"), 2;
  pairs = strtoul(words[1], NULL, 10);
  int status = run_threads(work);
  for (int size = 0; size < 5; ++size) {
    unsigned long sum = 0;
    for (long thread = 0; thread < threads; ++thread) sum += found[thread][size];
    printf("%lu%c", sum, size == 4 ? '\n' : ' ');
  }
  return status;
}
