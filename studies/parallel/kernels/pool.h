// So many threads, each with its number; the last to come lets all go on.
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long threads;
static pthread_barrier_t barrier;

static inline void await_all(void) { pthread_barrier_wait(&barrier); }

// The part of so many things that is a thread's: [first, last).
static inline size_t first_of(size_t things, long thread) { return things * (size_t)thread / (size_t)threads; }

static int run_threads(void *(*work)(void *)) {
  const char *asked = getenv("OMP_NUM_THREADS"); // one name for all programs of the study
  threads = asked ? strtol(asked, NULL, 10) : 1;
  if (threads < 1 || threads > 256) return fprintf(stderr, "1 to 256 threads, not %ld\n", threads), 2;
  pthread_t others[256];
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (long thread = 1; thread < threads; ++thread)
    if (pthread_create(others + thread, NULL, work, (void *)thread)) return perror("pthread_create"), 1;
  work((void *)0);
  for (long thread = 1; thread < threads; ++thread) pthread_join(others[thread], NULL);
  return 0;
}

#endif
