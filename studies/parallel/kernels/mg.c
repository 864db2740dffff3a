// Multigrid: a Poisson equation on a cube, V-cycles of smoothing on ever coarser grids.
//   mg SIDE CYCLES      SIDE is a power of 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

#define MOST 16

struct grid {
  size_t side;
  double *now, *next, *right; // the solution, one to come, and what it is held to
};

static size_t at(const struct grid *grid, size_t x, size_t y, size_t z) {
  return (x * grid->side + y) * grid->side + z;
}

static double around(const struct grid *g, size_t x, size_t y, size_t z) {
  const double *u = g->now;
  return u[at(g, x - 1, y, z)] + u[at(g, x + 1, y, z)] + u[at(g, x, y - 1, z)] + u[at(g, x, y + 1, z)] +
         u[at(g, x, y, z - 1)] + u[at(g, x, y, z + 1)];
}

static void smooth(struct grid *g, int times) {
  for (int time = 0; time < times; ++time) {
#pragma omp parallel for schedule(static)
    for (size_t x = 1; x < g->side - 1; ++x)
      for (size_t y = 1; y < g->side - 1; ++y)
        for (size_t z = 1; z < g->side - 1; ++z) {
          size_t here = at(g, x, y, z);
          g->next[here] = 0.2 * g->now[here] + 0.8 / 6 * (around(g, x, y, z) + g->right[here]);
        }
    double *kept = g->now;
    g->now = g->next;
    g->next = kept;
  }
}

static double residual(const struct grid *g, size_t x, size_t y, size_t z) {
  size_t here = at(g, x, y, z);
  return g->right[here] + around(g, x, y, z) - 6 * g->now[here];
}

static void restrict_to(const struct grid *fine, struct grid *coarse) {
#pragma omp parallel for schedule(static)
  for (size_t x = 1; x < coarse->side - 1; ++x)
    for (size_t y = 1; y < coarse->side - 1; ++y)
      for (size_t z = 1; z < coarse->side - 1; ++z) {
        size_t here = at(coarse, x, y, z);
        coarse->right[here] = 4 * residual(fine, 2 * x, 2 * y, 2 * z);
        coarse->now[here] = coarse->next[here] = 0;
      }
}

static void prolong(const struct grid *coarse, struct grid *fine) {
#pragma omp parallel for schedule(static)
  for (size_t x = 1; x < fine->side - 1; ++x)
    for (size_t y = 1; y < fine->side - 1; ++y)
      for (size_t z = 1; z < fine->side - 1; ++z)
        fine->now[at(fine, x, y, z)] += coarse->now[at(coarse, x / 2, y / 2, z / 2)];
}

static void cycle(struct grid *grids, int level, int levels) {
  smooth(grids + level, level == levels - 1 ? 20 : 2);
  if (level == levels - 1) return;
  restrict_to(grids + level, grids + level + 1);
  cycle(grids, level + 1, levels);
  prolong(grids + level + 1, grids + level);
  smooth(grids + level, 2);
}

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "usage: mg SIDE CYCLES\n"), 2;
  size_t side = strtoul(words[1], NULL, 10);
  long cycles = strtol(words[2], NULL, 10);
  struct grid grids[MOST];
  int levels = 0;
  for (; side >= 4 && levels < MOST; side /= 2, ++levels) {
    size_t size = (side + 2) * (side + 2) * (side + 2);
    grids[levels] = (struct grid){side + 2, calloc(size, 8), calloc(size, 8), calloc(size, 8)};
    if (!grids[levels].now || !grids[levels].next || !grids[levels].right) return perror("mg"), 1;
  }
  struct grid *top = grids;
#pragma omp parallel for schedule(static)
  for (size_t x = 1; x < top->side - 1; ++x)
    for (size_t y = 1; y < top->side - 1; ++y)
      for (size_t z = 1; z < top->side - 1; ++z) {
        size_t here = at(top, x, y, z);
        top->right[here] = fraction_of(here) - 0.5;
      }
  for (long done = 0; done < cycles; ++done) cycle(grids, 0, levels);
  double sum = 0;
  for (size_t x = 1; x < top->side - 1; ++x) sum += fabs(residual(top, x, x, x));
  printf("%.9e\n", sum);
  return 0;
}
