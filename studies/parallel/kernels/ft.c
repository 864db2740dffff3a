// Fourier transforms of a cube in three directions, with transposes between, and back; then the next step.
//   ft SIDE STEPS      SIDE is a power of 2
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static size_t side;
static double complex *roots;

// In place, of one row: bits reversed, then butterflies.
static void transform(double complex *row, int inverse) {
  for (size_t i = 1, j = 0; i < side; ++i) {
    size_t bit = side >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) {
      double complex kept = row[i];
      row[i] = row[j];
      row[j] = kept;
    }
  }
  for (size_t half = 1; half < side; half *= 2)
    for (size_t start = 0; start < side; start += 2 * half)
      for (size_t k = 0; k < half; ++k) {
        double complex root = roots[k * (side / (2 * half))];
        double complex odd = row[start + half + k] * (inverse ? conj(root) : root);
        row[start + half + k] = row[start + k] - odd;
        row[start + k] += odd;
      }
}

static void transform_rows(double complex *cube, int inverse) {
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < side * side; ++row) transform(cube + row * side, inverse);
}

// (x, y, z) -> (z, x, y): what was next in memory is now farthest.
static void transpose(const double complex *from, double complex *to) {
#pragma omp parallel for schedule(static)
  for (size_t z = 0; z < side; ++z)
    for (size_t x = 0; x < side; ++x)
      for (size_t y = 0; y < side; ++y) to[(z * side + x) * side + y] = from[(x * side + y) * side + z];
}

static void evolve(double complex *cube, double by) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < side * side * side; ++i) cube[i] *= exp(-by * (double)(i % side)) / ((double)side * (double)side * (double)side);
}

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "usage: ft SIDE STEPS\n"), 2;
  side = strtoul(words[1], NULL, 10);
  long steps = strtol(words[2], NULL, 10);
  size_t size = side * side * side;
  roots = malloc(side * sizeof *roots);
  double complex *cube = malloc(size * sizeof *cube), *other = malloc(size * sizeof *other);
  if (!roots || !cube || !other) return perror("ft"), 1;
  for (size_t i = 0; i < side; ++i) roots[i] = cexp(-2 * M_PI * I * (double)i / (double)side);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < size; ++i) cube[i] = fraction_of(2 * i) + I * fraction_of(2 * i + 1);
  for (long step = 0; step < steps; ++step) {
    for (int inverse = 0; inverse < 2; ++inverse)
      for (int direction = 0; direction < 3; ++direction) {
        transform_rows(cube, inverse);
        transpose(cube, other);
        double complex *kept = cube;
        cube = other;
        other = kept;
      }
    evolve(cube, 1e-3 * (double)(step + 1));
  }
  double complex sum = 0;
  for (size_t i = 0; i < size; i += 97) sum += cube[i];
  printf("%.9e %.9e\n", creal(sum), cimag(sum));
  return 0;
}
