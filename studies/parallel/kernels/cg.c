// Conjugate gradient: a sparse symmetric matrix of random pattern, its rows shared among threads.
//   cg ROWS ENTRIES STEPS      ENTRIES a row
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static size_t rows, entries;
static size_t *column;
static double *value;

static void multiply(const double *x, double *y) {
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    double sum = (double)entries * 2 * x[row];
    for (size_t k = row * entries; k < (row + 1) * entries; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

static double dot(const double *x, const double *y) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (size_t row = 0; row < rows; ++row) sum += x[row] * y[row];
  return sum;
}

// y = a x + y, or y = x + a y
static void add(double a, const double *x, double *y, int scale_y) {
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) y[row] = scale_y ? x[row] + a * y[row] : y[row] + a * x[row];
}

int main(int count, char **words) {
  if (count != 4) return fprintf(stderr, "usage: cg ROWS ENTRIES STEPS\n"), 2;
  rows = strtoul(words[1], NULL, 10);
  entries = strtoul(words[2], NULL, 10);
  long steps = strtol(words[3], NULL, 10);
  column = malloc(rows * entries * sizeof *column);
  value = malloc(rows * entries * sizeof *value);
  double *x = calloc(rows, 8), *r = malloc(rows * 8), *p = malloc(rows * 8), *q = malloc(rows * 8);
  if (!column || !value || !x || !r || !p || !q) return perror("cg"), 1;
#pragma omp parallel for schedule(static)
  for (size_t k = 0; k < rows * entries; ++k) {
    column[k] = random_of(k) % rows;
    value[k] = fraction_of(k + 1) - 0.5;
  }
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) r[row] = p[row] = 1;
  double now = dot(r, r);
  for (long step = 0; step < steps; ++step) {
    multiply(p, q);
    double alpha = now / dot(p, q);
    add(alpha, p, x, 0);
    add(-alpha, q, r, 0);
    double next = dot(r, r);
    add(next / now, r, p, 1);
    now = next;
  }
  printf("%.6e\n", x[rows / 2]);
  return 0;
}
