// Block solver: on a square of cells with 5 unknowns each, lines of block-tridiagonal equations along x, then
// along y, after the right-hand side is made anew.
//   bt SIDE STEPS
#include <math.h>
#include <string.h>

#include "pool.h"
#include "random.h"

#define N 5
#define LONGEST 512

static size_t side;
static long steps;
static double (*cells)[N], (*right)[N];

// a x = b for several b at once, by elimination; a is spoilt.
static void solve(double a[N][N], double b[N][N + 1]) {
  for (int pivot = 0; pivot < N; ++pivot) {
    double by = 1 / a[pivot][pivot];
    for (int k = 0; k < N; ++k) a[pivot][k] *= by;
    for (int k = 0; k <= N; ++k) b[pivot][k] *= by;
    for (int row = 0; row < N; ++row) {
      if (row == pivot) continue;
      double times = a[row][pivot];
      for (int k = 0; k < N; ++k) a[row][k] -= times * a[pivot][k];
      for (int k = 0; k <= N; ++k) b[row][k] -= times * b[pivot][k];
    }
  }
}

static void line(size_t first, size_t stride) {
  double upper[LONGEST][N][N + 1]; // of each cell, the next one's share, and what it is without it
  for (size_t i = 0; i < side; ++i) {
    size_t cell = first + i * stride;
    double middle[N][N];
    for (int row = 0; row < N; ++row)
      for (int k = 0; k < N; ++k) {
        double mixed = 0.05 * cells[cell][row] * cells[cell][k];
        middle[row][k] = (row == k ? 4 : 0) + mixed;
        upper[i][row][k] = (row == k ? -1 : 0) + 0.1 * mixed;
      }
    for (int row = 0; row < N; ++row) {
      upper[i][row][N] = right[cell][row];
      if (i > 0) { // what the cell before has to say: its coefficient is -1
        upper[i][row][N] += upper[i - 1][row][N];
        for (int k = 0; k < N; ++k) middle[row][k] += upper[i - 1][row][k];
      }
    }
    solve(middle, upper[i]);
  }
  for (size_t i = side; i-- > 0;) {
    size_t cell = first + i * stride;
    for (int row = 0; row < N; ++row) {
      double found = upper[i][row][N];
      if (i + 1 < side)
        for (int k = 0; k < N; ++k) found -= upper[i][row][k] * right[cell + stride][k];
      right[cell][row] = found;
    }
  }
}

static void sources(size_t y) {
  for (size_t x = 1; x < side - 1; ++x)
    for (int k = 0; k < N; ++k) {
      size_t cell = y * side + x;
      double around = cells[cell - 1][k] + cells[cell + 1][k] + cells[cell - side][k] + cells[cell + side][k];
      right[cell][k] = 0.1 * (around - 4 * cells[cell][k]) + 0.01 * sin(cells[cell][(k + 1) % N]);
    }
}

static void *work(void *number) {
  long me = (long)number;
  size_t first = first_of(side, me), last = first_of(side, me + 1);
  for (long step = 0; step < steps; ++step) {
    for (size_t y = first; y < last; ++y)
      if (y > 0 && y < side - 1) sources(y);
    await_all();
    for (size_t y = first; y < last; ++y) line(y * side, 1);
    await_all();
    for (size_t x = first; x < last; ++x) line(x, side);
    await_all();
    for (size_t cell = first * side; cell < last * side; ++cell)
      for (int k = 0; k < N; ++k) cells[cell][k] += right[cell][k];
    await_all();
  }
  return NULL;
}

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "usage: bt SIDE STEPS\n"), 2;
  side = strtoul(words[1], NULL, 10);
  steps = strtol(words[2], NULL, 10);
  if (side < 3 || side > LONGEST) return fprintf(stderr, "SIDE is 3 to %d\n", LONGEST), 2;
  cells = calloc(side * side, sizeof *cells);
  right = calloc(side * side, sizeof *right);
  if (!cells || !right) return perror("bt"), 1;
  for (size_t cell = 0; cell < side * side; ++cell)
    for (int k = 0; k < N; ++k) cells[cell][k] = fraction_of(cell * N + (size_t)k);
  int status = run_threads(work);
  double sum = 0;
  for (size_t cell = 0; cell < side * side; cell += 7) sum += cells[cell][0];
  printf("%.9e\n", sum);
  return status;
}
